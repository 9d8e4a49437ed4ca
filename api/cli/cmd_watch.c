/* watch: plays a match log in the terminal, a step at a time. */
#include "api/cli/cli.h"

#include "runner/base/cleanup.h"
#include "runner/match/stage.h"
#include "runner/work/gamebook.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int cmd_watch(int argc, char **argv);

#define WATCH_DELAY_MS 150
#define WATCH_DELAY_MOST 60000

struct watch {
    const struct replay *replay;
    const char *slot_text; /* of --view, or NULL: the public state */
    uint64_t slot;
    uint64_t from;
    uint64_t to;
    uint64_t delay_ms;
    bool terminal;
    bool json;
};

/* ---- one picture ------------------------------------------------------------
 */

/* Digits are slots: each has a colour, on a terminal. */
static void print_cell(const struct watch *watch, char cell)
{
    if (watch->terminal && cell >= '0' && cell <= '7')
        printf("\033[3%cm%c\033[0m", cell == '7' ? '7' : cell + 1, cell);
    else
        cli_print_foreign(stdout, &cell, 1);
}

static void print_grid(const struct watch *watch, const json_t *grid)
{
    for (size_t y = 0; y < json_array_size(grid); y++) {
        const json_t *row = json_array_get(grid, y);
        const char *text = json_string_value(row);

        fputs("  ", stdout);
        for (size_t x = 0; text && x < json_string_length(row); x++)
            print_cell(watch, text[x]);
        putchar('\n');
    }
}

static void print_state(const struct watch *watch, struct frame_text state)
{
    json_t *object = json_loadb(state.bytes, state.size, 0, NULL);
    const json_t *grid = json_object_get(object, "grid");
    const json_t *line = json_object_get(object, "line");

    if (json_is_array(grid))
        print_grid(watch, grid);
    else
        cli_print_foreign(stdout, state.bytes, state.size);
    if (json_is_string(line)) {
        cli_print_foreign(stdout, json_string_value(line),
                          json_string_length(line));
        putchar('\n');
    }
    json_decref(object);
}

/* The first line of a reply is enough here. */
static void print_reply(const json_t *entry)
{
    auto_buf struct buf text = {0};

    if (!replay_text(entry, "reply", &text) || !text.data) {
        fputs("-", stdout);
        return;
    }
    size_t size = strcspn(text.data, "\n");
    cli_print_foreign(stdout, text.data, size < 60 ? size : 60);
    if (size > 60 || (size < text.size && size + 1 < text.size))
        fputs(" ...", stdout);
}

static void print_moves(const struct watch *watch, uint32_t turn)
{
    for (unsigned slot = 0; slot < watch->replay->slots; slot++) {
        const json_t *entry = replay_entry(watch->replay, turn, slot);
        const json_t *count = json_object_get(entry, "instructions");

        if (!entry)
            continue;
        printf("slot %u: %-8s %12lld instructions  ", slot,
               json_string_value(json_object_get(entry, "status")),
               (long long)json_integer_value(count));
        print_reply(entry);
        putchar('\n');
    }
}

static void print_head(const struct watch *watch, uint32_t turn)
{
    if (watch->terminal)
        fputs("\033[H\033[2J", stdout);
    cli_print_foreign(stdout, watch->replay->game, strlen(watch->replay->game));
    printf(", seed %s: turn %" PRIu32 " of %zu\n", watch->replay->seed, turn,
           watch->replay->step_count - 1);
}

static void pause_after(const struct watch *watch)
{
    const struct timespec time = {
        .tv_sec = (time_t)(watch->delay_ms / 1000),
        .tv_nsec = (long)(watch->delay_ms % 1000) * 1000000,
    };

    fflush(stdout);
    if (watch->terminal)
        nanosleep(&time, NULL);
}

static bool is_wanted(const struct watch *watch, uint32_t turn)
{
    return turn >= watch->from && turn <= watch->to;
}

static void print_results(const struct replay *replay)
{
    const json_t *results = json_object_get(replay->end, "results");
    json_t *result;
    size_t i;

    json_array_foreach(results, i, result) {
        const char *verdict =
            json_string_value(json_object_get(result, "verdict"));
        cli_print_format(
            stdout, "slot %zu: place %lld, score %lld, %s\n", i,
            (long long)json_integer_value(json_object_get(result, "rank")),
            (long long)json_integer_value(json_object_get(result, "score")),
            verdict ? verdict : "?");
    }
}

/* ---- all of them ------------------------------------------------------------
 */

static void show_state(const struct watch *watch, uint32_t turn,
                       struct frame_text state)
{
    if (watch->json) { /* for viewer scripts: a state a line */
        printf("%.*s\n", (int)state.size, state.bytes);
        return;
    }
    print_head(watch, turn);
    print_state(watch, state);
    print_moves(watch, turn);
    pause_after(watch);
}

static int show_states(struct zygote *zygote, const struct watch *watch,
                       struct build *game, struct err *err)
{
    struct stage stage;
    struct frame_text state = {0};
    int more = stage_open(&stage, zygote, game, watch->replay, err);

    if (more == 0)
        more = stage_next(&stage, &state, err);
    for (; more > 0; more = stage_next(&stage, &state, err))
        if (is_wanted(watch, stage.turn))
            show_state(watch, stage.turn, state);
    stage_close(&stage);
    return more;
}

static int show_views(const struct watch *watch)
{
    for (uint32_t turn = 1; turn < watch->replay->step_count; turn++) {
        const json_t *entry =
            replay_entry(watch->replay, turn, (unsigned)watch->slot);
        auto_buf struct buf view = {0};

        if (!entry || !is_wanted(watch, turn))
            continue;
        print_head(watch, turn);
        if (replay_text(entry, "view", &view))
            cli_print_foreign(stdout, view.data ? view.data : "", view.size);
        else
            puts("(the log was cut: it keeps hashes only from here on)");
        print_moves(watch, turn);
        pause_after(watch);
    }
    return 0;
}

static int show_public(const struct watch *watch, struct err *err)
{
    auto_zygote struct zygote *zygote = zygote_start(-1, err);

    if (!zygote)
        return -1;
    struct build *game =
        gamebook_version(watch->replay->game, watch->replay->game_version, err);
    int code = game ? show_states(zygote, watch, game, err)
                    : err_wrap(err, "no public state (--view SLOT shows what a "
                                    "bot saw)");
    build_free(game);
    return code;
}

static int show(const struct watch *watch, struct err *err)
{
    int code = watch->slot_text ? show_views(watch) : show_public(watch, err);

    if (code < 0)
        return -1;
    if (!watch->json)
        print_results(watch->replay);
    return cli_finish("watch");
}

int cmd_watch(int argc, char **argv)
{
    struct watch watch = {.to = UINT32_MAX, .delay_ms = WATCH_DELAY_MS};
    const struct cli_option options[] = {
        {"view", 0, CLI_TEXT, &watch.slot_text, "SLOT",
         "what this bot saw, and not the public state", false},
        {"from", 0, CLI_NUMBER, &watch.from, "TURN", "begin here", false},
        {"to", 0, CLI_NUMBER, &watch.to, "TURN", "end here", false},
        {"delay", 0, CLI_NUMBER, &watch.delay_ms, "MS",
         "between steps, on a terminal; default 150", false},
        {"states", 0, CLI_FLAG, &watch.json, NULL,
         "print the public states, a JSON object a line, for viewers", false},
        {0},
    };
    const struct cli_command command = {
        .name = "watch",
        .operands = "LOG",
        .text = "Plays a match log in the terminal. The game's referee is run "
                "again with the replies\nof the log; no bot runs.",
        .option = options,
        .operands_min = 1,
        .operands_max = 1,
    };
    struct cli_operands operands;
    struct replay replay;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (watch.delay_ms > WATCH_DELAY_MOST)
        return cli_usage(command.name, "--delay is at most %d",
                         WATCH_DELAY_MOST);
    if (replay_open(&replay, operands.item[0], &err) < 0)
        return cli_fail(command.name, &err);
    watch.replay = &replay;
    watch.terminal = isatty(STDOUT_FILENO);
    if (watch.slot_text && (!cli_number(watch.slot_text, &watch.slot) ||
                            watch.slot >= replay.slots))
        code = cli_usage(command.name, "--view: there are slots 0 to %u",
                         replay.slots - 1);
    else
        code = show(&watch, &err);
    replay_release(&replay);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
