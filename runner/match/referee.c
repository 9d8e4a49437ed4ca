#include "runner/match/referee.h"

#include <stdio.h>
#include <string.h>

/* A referee's own limits: generous, and reached by a broken game only. */
#define TURN_BUDGET_MOST 4000000000u /* instructions a frame */
#define TURN_CPU_NS 30000000000u
#define LIFE_CPU_S 36000u /* of all its turns */
#define MEMORY_BYTES (512u << 20)
#define STACK_BYTES (16u << 20)
#define LOG_BYTES (64u << 10)
#define FRAME_SLACK_BYTES (1u << 20) /* reasons, scores, the description */

/* The last line or so of what the referee wrote to standard error. */
static void log_tail(const struct turn *answer, char *tail, size_t size)
{
    size_t from = answer->log_size < size ? 0 : answer->log_size - size + 1;
    size_t used = 0;

    for (size_t i = from; i < answer->log_size; i++) {
        unsigned char c = (unsigned char)answer->log[i];
        tail[used++] = c < ' ' || c > '~' ? ' ' : (char)c;
    }
    tail[used] = '\0';
}

static const char *end_text(enum turn_end end)
{
    switch (end) {
    case TURN_ASKED:
        return "asked";
    case TURN_EXITED:
        return "it ended by itself";
    case TURN_BUDGET:
        return "too many instructions for one step";
    case TURN_STACK:
        return "stack overflow";
    case TURN_MEMORY:
        return "out of memory";
    case TURN_OUTPUT:
        return "its views are larger than the limits allow";
    case TURN_CRASH:
        return "it crashed";
    case TURN_FORBIDDEN:
        return "it tried something forbidden";
    case TURN_NET:
        return "it took too long";
    case TURN_KILLED:
        return "it was killed from outside";
    case TURN_STARVED:
        break;
    }
    return "the host was starved";
}

/* One frame to the referee (none at start-up), one back. */
static int referee_exchange(struct referee *referee, struct err *err)
{
    const struct turn_spec spec = {
        .view = referee->frame.data,
        .view_size = referee->frame.size,
        .budget = TURN_BUDGET_MOST,
        .cpu_ns = TURN_CPU_NS,
    };
    struct turn *answer = &referee->answer;
    char tail[160];

    if (box_turn(&referee->box, &spec, answer, err) < 0)
        return err_wrap(err, "the game's jail");
    referee->turn++;
    if (answer->end == TURN_ASKED)
        return 0;
    if (answer->end == TURN_STARVED)
        return err_set(err, ERR_BUSY, "the game: %s", end_text(answer->end));
    log_tail(answer, tail, sizeof tail);
    return err_set(err, ERR_SYSTEM, "the game failed: %s%s%s%s%s",
                   end_text(answer->end), answer->end == TURN_CRASH ? ", " : "",
                   answer->end == TURN_CRASH ? crash_text(answer->code)
                                             : answer->detail,
                   *tail ? ": " : "", tail);
}

/* JSON may spell a byte as six. */
static size_t line_bytes(const struct referee_spec *spec)
{
    return spec->slots * 6 * spec->limits->view_bytes + FRAME_SLACK_BYTES;
}

static int open_exec(struct referee *referee, const struct referee_spec *spec,
                     struct frame_hello *hello, struct err *err)
{
    referee->is_exec = true;
    if (exec_open(&referee->exec, spec->game, line_bytes(spec), err) < 0)
        return err_wrap(err, "start the game");
    if (exec_hello(&referee->exec, &referee->frame, err) < 0)
        return -1;
    if (frame_parse_hello(referee->frame.data, referee->frame.size, hello,
                          err) < 0)
        return err_wrap(err, "the game failed");
    return 0;
}

int referee_open(struct referee *referee, struct zygote *zygote,
                 const struct referee_spec *spec, struct frame_hello *hello,
                 struct err *err)
{
    *referee = (struct referee){0};
    if (spec->game->exec)
        return open_exec(referee, spec, hello, err);
    int elf_fd = build_elf_fd(spec->game, err);
    if (elf_fd < 0)
        return err_wrap(err, "the game's executable");
    struct box_spec box = {
        .name = "game",
        .elf_fd = elf_fd,
        .counters_count = spec->game->counters_count,
        .data_bytes = spec->game->data_bytes,
        .memory_bytes = MEMORY_BYTES,
        .stack_bytes = STACK_BYTES,
        .view_bytes =
            spec->slots * spec->limits->reply_bytes + FRAME_SLACK_BYTES,
        .reply_bytes =
            spec->slots * spec->limits->view_bytes + FRAME_SLACK_BYTES,
        .log_bytes = LOG_BYTES,
        .cpu_s = LIFE_CPU_S,
    };
    memcpy(box.seed, spec->key, sizeof box.seed);
    if (box_spawn(zygote, &box, &referee->box, err) < 0)
        return err_wrap(err, "start the game");
    referee->open = true;
    if (referee_exchange(referee, err) < 0)
        return -1;
    if (frame_parse_hello(referee->answer.reply, referee->answer.reply_size,
                          hello, err) < 0)
        return err_wrap(err, "the game failed");
    return 0;
}

/* Judges the `size` bytes of a frame that came back. */
static int referee_report(const void *bytes, size_t size,
                          const struct frame_context *context,
                          struct frame_report *report, struct err *err)
{
    if (frame_parse_report(bytes, size, context, report, err) < 0)
        return err_wrap(err, "the game failed");
    return 0;
}

/* referee->frame is sent, the answer judged. */
static int referee_ask(struct referee *referee,
                       const struct frame_context *context,
                       struct frame_report *report, struct err *err)
{
    if (referee_exchange(referee, err) < 0)
        return -1;
    return referee_report(referee->answer.reply, referee->answer.reply_size,
                          context, report, err);
}

int referee_start(struct referee *referee, const struct referee_begin *begin,
                  const struct frame_context *context,
                  struct frame_report *report, struct err *err)
{
    struct buf *frame = &referee->frame;

    buf_clear(frame);
    if (!referee->is_exec) {
        frame_start(frame, begin->seed, context->slots, begin->out,
                    begin->turns);
        return referee_ask(referee, context, report, err);
    }
    const struct exec_start start = {begin->seed, context->slots, begin->out,
                                     begin->turns};
    if (exec_begin(&referee->exec, &start, frame, err) < 0)
        return -1;
    return referee_report(frame->data, frame->size, context, report, err);
}

int referee_step(struct referee *referee, const struct frame_context *context,
                 struct frame_report *report, struct err *err)
{
    struct buf *frame = &referee->frame;

    buf_clear(frame);
    if (!referee->is_exec) {
        frame_step(frame, context->move, context->moves);
        return referee_ask(referee, context, report, err);
    }
    if (exec_step(&referee->exec, context->move, context->moves, frame, err) <
        0)
        return -1;
    return referee_report(frame->data, frame->size, context, report, err);
}

void referee_close(struct referee *referee)
{
    if (referee->open)
        box_end(&referee->box);
    referee->open = false;
    if (referee->is_exec)
        exec_close(&referee->exec);
    buf_release(&referee->frame);
}
