/* The in-referee runtime, compiled natively and asked over pipes as the worker
 * asks it: what it answers is what frame.c understands, and the order of parse,
 * pass, out and apply is that of game.h. */
int referee_main(void);
#define main referee_main
#include "runner/games/referee.c"
#undef main

#include "runner/base/io.h"
#include "runner/match/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A game that tells what it was asked to do. Every slot moves; a reply "w"
 * ends the game, "x" is illegal. */
struct diary {
    struct game_text text;
    unsigned slots;
    int won;
    unsigned gone;
};

static void *diary_create(uint64_t seed, unsigned slots)
{
    struct diary *diary = calloc(1, sizeof *diary);

    diary->slots = slots;
    game_print(&diary->text, "create %llu;", (unsigned long long)seed);
    return diary;
}

static int diary_asked(const void *state, unsigned slot)
{
    (void)state;
    (void)slot;
    return 1;
}

static void diary_view(const void *state, unsigned slot, struct game_text *out)
{
    (void)state;
    game_print(out, "view %u\n", slot);
}

static int diary_parse(void *state, unsigned slot, const char *reply,
                       size_t size, const char **reason)
{
    struct diary *diary = state;

    if (size == 1 && *reply == 'x') {
        *reason = "x is not allowed";
        return 0;
    }
    game_print(&diary->text, "parse %u %.*s;", slot, (int)size, reply);
    if (size == 1 && *reply == 'w')
        diary->won = 1;
    return 1;
}

static void diary_pass(void *state, unsigned slot)
{
    game_print(&((struct diary *)state)->text, "pass %u;", slot);
}

static void diary_out(void *state, unsigned slot)
{
    ((struct diary *)state)->gone++;
    game_print(&((struct diary *)state)->text, "out %u;", slot);
}

static void diary_apply(void *state)
{
    struct diary *diary = state;

    game_print(&diary->text, "apply;");
    diary->won *= 2; /* a win counts once it is applied */
}

static int diary_over(const void *state)
{
    const struct diary *diary = state;

    return diary->won == 2 || diary->gone + 1 >= diary->slots;
}

static int64_t diary_score(const void *state, unsigned slot)
{
    (void)state;
    return -(int64_t)slot;
}

static void diary_describe(const void *state, struct game_text *out)
{
    const struct diary *diary = state;

    game_print(out, "%.*s", (int)diary->text.size, diary->text.bytes);
}

static void diary_free(void *state)
{
    free(((struct diary *)state)->text.bytes);
    free(state);
}

const struct game game = {
    .name = "diary",
    .label = "Diary",
    .min_slots = 2,
    .max_slots = 4,
    .limits = {.turn_soft = 5, .turns = 9},
    .create = diary_create,
    .asked = diary_asked,
    .view = diary_view,
    .parse = diary_parse,
    .pass = diary_pass,
    .out = diary_out,
    .apply = diary_apply,
    .over = diary_over,
    .score = diary_score,
    .describe = diary_describe,
    .free = diary_free,
};

/* ---- the worker's side ------------------------------------------------------
 */

struct talk {
    pid_t pid;
    int to;
    int from;
    char answer[4096];
    size_t size;
    struct frame_report report;
};

static void talk_open(struct talk *talk)
{
    int in[2], out[2];

    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    talk->pid = fork();
    assert_true(talk->pid >= 0);
    if (talk->pid == 0) {
        alarm(10);
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        _exit(referee_main());
    }
    close(in[0]);
    close(out[1]);
    talk->to = in[1];
    talk->from = out[0];
}

static void read_exactly(int fd, char *to, size_t size)
{
    while (size) {
        ssize_t got = read(fd, to, size);
        assert_true(got > 0);
        to += got;
        size -= (size_t)got;
    }
}

static void talk_receive(struct talk *talk)
{
    read_exactly(talk->from, talk->answer, 4);
    size_t size = u32_at(talk->answer);
    assert_true(size < sizeof talk->answer - 4);
    read_exactly(talk->from, talk->answer + 4, size);
    talk->size = size + 4;
}

static void talk_send(struct talk *talk, struct buf *frame)
{
    struct err err;

    assert_int_equal(io_write_all(talk->to, frame->data, frame->size, &err), 0);
    buf_release(frame);
}

static void talk_report(struct talk *talk, const struct frame_context *context)
{
    struct err err;

    talk_receive(talk);
    if (frame_parse_report(talk->answer, talk->size, context, &talk->report,
                           &err) < 0)
        fail_msg("%s", err.msg);
}

static void talk_start(struct talk *talk, unsigned slots, unsigned out)
{
    struct frame_context context = {
        .slots = slots, .out = out, .view_bytes = 100};
    struct frame_hello hello;
    struct err err;
    struct buf frame = {0};

    talk_open(talk);
    talk_receive(talk);
    assert_int_equal(frame_parse_hello(talk->answer, talk->size, &hello, &err),
                     0);
    assert_int_equal(hello.turn_soft, 5);
    assert_int_equal(hello.turns, 9);
    assert_int_equal(hello.max_slots, 4);
    assert_memory_equal(hello.name.bytes, "diary", 5);
    frame_start(&frame, 0x123456789abcdef0u, slots, out, 3);
    talk_send(talk, &frame);
    talk_report(talk, &context);
}

static void talk_step(struct talk *talk, unsigned slots, unsigned out,
                      const struct frame_move *move, unsigned moves)
{
    struct frame_context context = {
        .slots = slots,
        .out = out,
        .view_bytes = 100,
        .move = move,
        .moves = moves,
    };
    struct buf frame = {0};

    frame_step(&frame, move, moves);
    talk_send(talk, &frame);
    talk_report(talk, &context);
}

/* The referee ends by itself at the end of input. */
static void talk_close(struct talk *talk)
{
    int status;

    close(talk->to);
    close(talk->from);
    assert_int_equal(waitpid(talk->pid, &status, 0), talk->pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void assert_diary(const struct talk *talk, const char *expected)
{
    assert_int_equal(talk->report.state.size, strlen(expected));
    assert_memory_equal(talk->report.state.bytes, expected, strlen(expected));
}

#define REPLY(text)            \
    {                          \
        text, sizeof(text) - 1 \
    }

static void test_a_step_parses_passes_takes_out_and_applies(void **state)
{
    struct talk talk;
    const struct frame_move move[] = {
        {0, FRAME_REPLY, REPLY("go")},
        {1, FRAME_PASS, {NULL, 0}},
        {2, FRAME_REPLY, REPLY("x")},
        {3, FRAME_LAST_REPLY, REPLY("bye")},
    };

    (void)state;
    talk_start(&talk, 4, 0);
    assert_diary(&talk, "create 1311768467463790320;");
    assert_int_equal(talk.report.asked, 4);
    assert_memory_equal(talk.report.ask[3].view.bytes, "view 3\n", 7);
    talk_step(&talk, 4, 0, move, 4);
    assert_diary(&talk, "create 1311768467463790320;parse 0 go;pass 1;pass 2;"
                        "parse 3 bye;out 2;apply;out 3;");
    assert_true(talk.report.judge[0].legal);
    assert_false(talk.report.judge[2].legal);
    assert_memory_equal(talk.report.judge[2].reason.bytes, "x is not allowed",
                        16);
    assert_int_equal(talk.report.over, FRAME_GOES_ON);
    assert_int_equal(talk.report.asked, 2);
    assert_int_equal(talk.report.score[3], -3);
    talk_close(&talk);
}

static void
test_slots_that_failed_at_start_up_are_out_from_the_start(void **state)
{
    struct talk talk;

    (void)state;
    talk_start(&talk, 3, 1u << 1);
    assert_diary(&talk, "create 1311768467463790320;out 1;");
    assert_int_equal(talk.report.asked, 2);
    assert_int_equal(talk.report.ask[1].slot, 2);
    talk_close(&talk);
    talk_start(&talk, 2, 1u << 1);
    assert_int_equal(talk.report.over, FRAME_ENDED);
    assert_int_equal(talk.report.asked, 0);
    talk_close(&talk);
}

static void test_who_is_gone_passes_where_the_game_asks_it(void **state)
{
    struct talk talk;
    const struct frame_move move[] = {
        {0, FRAME_REPLY, REPLY("a")},
        {2, FRAME_REPLY, REPLY("b")},
    };

    (void)state;
    talk_start(&talk, 3, 1u << 1);
    talk_step(&talk, 3, 1u << 1, move, 2);
    assert_diary(&talk, "create 1311768467463790320;out 1;pass 1;parse 0 a;"
                        "parse 2 b;apply;");
    talk_close(&talk);
}

static void test_a_last_reply_that_ends_the_game_ends_it(void **state)
{
    struct talk talk;
    const struct frame_move move[] = {
        {0, FRAME_LAST_REPLY, REPLY("w")},
        {1, FRAME_PASS, {NULL, 0}},
    };

    (void)state;
    talk_start(&talk, 2, 0);
    talk_step(&talk, 2, 0, move, 2);
    assert_int_equal(talk.report.over, FRAME_ENDED);
    talk_close(&talk);
}

static void test_leaving_after_the_step_is_told_from_ending_by_it(void **state)
{
    struct talk talk;
    const struct frame_move last[] = {
        {0, FRAME_LAST_REPLY, REPLY("a")},
        {1, FRAME_PASS, {NULL, 0}},
    };
    const struct frame_move gone[] = {
        {0, FRAME_OUT, {NULL, 0}},
        {1, FRAME_PASS, {NULL, 0}},
    };

    (void)state;
    talk_start(&talk, 2, 0);
    talk_step(&talk, 2, 0, last, 2);
    assert_int_equal(talk.report.over, FRAME_LEFT);
    talk_close(&talk);
    talk_start(&talk, 2, 0);
    talk_step(&talk, 2, 0, gone, 2);
    assert_diary(&talk, "create 1311768467463790320;pass 0;pass 1;out 0;"
                        "apply;");
    assert_int_equal(talk.report.over, FRAME_ENDED);
    talk_close(&talk);
}

static void test_the_match_ends_at_its_turns(void **state)
{
    struct talk talk;
    const struct frame_move move[] = {
        {0, FRAME_PASS, {NULL, 0}},
        {1, FRAME_PASS, {NULL, 0}},
    };

    (void)state;
    talk_start(&talk, 2, 0);
    for (int step = 1; step <= 3; step++) {
        talk_step(&talk, 2, 0, move, 2);
        assert_int_equal(talk.report.over,
                         step < 3 ? FRAME_GOES_ON : FRAME_ENDED);
    }
    talk_close(&talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_parses_passes_takes_out_and_applies),
        cmocka_unit_test(
            test_slots_that_failed_at_start_up_are_out_from_the_start),
        cmocka_unit_test(test_who_is_gone_passes_where_the_game_asks_it),
        cmocka_unit_test(test_a_last_reply_that_ends_the_game_ends_it),
        cmocka_unit_test(test_leaving_after_the_step_is_told_from_ending_by_it),
        cmocka_unit_test(test_the_match_ends_at_its_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
