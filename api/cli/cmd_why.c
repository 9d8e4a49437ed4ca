/* why: tells in words how a match ended for each bot, and what to do. */
#include "api/cli/cli.h"
#include "api/cli/kit.h"

#include "runner/base/cleanup.h"
#include "runner/match/replay.h"

#include <inttypes.h>
#include <string.h>

int cmd_why(int argc, char **argv);

/* What the log tells about one slot. */
struct story {
    const char *verdict;
    const char *detail;
    json_int_t rank;
    json_int_t score;
    uint32_t last_turn;
    uint32_t asked;         /* turns from 1 on */
    uint32_t replied;       /* with a move that counted */
    uint32_t empty;         /* asked for more input before printing */
    uint32_t empty_first;   /* the first such turn */
    uint32_t skipped;       /* over turn_soft */
    uint32_t skipped_first; /* the first such turn */
    bool early;             /* printed before its first read */
    json_int_t highest;     /* instructions of one turn */
    uint32_t highest_turn;
    uint64_t total; /* of the turns from 1 on */
    struct buf last_reply;
};

/* ---- reading the log --------------------------------------------------------
 */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static void count_status(struct story *story, uint32_t turn, const char *status)
{
    story->asked++;
    if (!strcmp(status, "empty") && !story->empty++)
        story->empty_first = turn;
    if (!strcmp(status, "skipped") && !story->skipped++)
        story->skipped_first = turn;
    story->replied += !strcmp(status, "ok");
}

static void take_entry(struct story *story, uint32_t turn, const json_t *entry)
{
    const json_int_t count =
        json_integer_value(json_object_get(entry, "instructions"));

    story->last_turn = turn;
    buf_clear(&story->last_reply);
    replay_text(entry, "reply", &story->last_reply);
    if (turn == 0) {
        story->early = story->last_reply.size > 0;
        return;
    }
    count_status(story, turn, text_of(entry, "status"));
    story->total += (uint64_t)count;
    if (count > story->highest) {
        story->highest = count;
        story->highest_turn = turn;
    }
}

static void read_story(const struct replay *replay, unsigned slot,
                       struct story *story)
{
    const json_t *result =
        json_array_get(json_object_get(replay->end, "results"), slot);

    *story = (struct story){
        .verdict = text_of(result, "verdict"),
        .detail = text_of(result, "detail"),
        .rank = json_integer_value(json_object_get(result, "rank")),
        .score = json_integer_value(json_object_get(result, "score")),
    };
    for (uint32_t turn = 0; turn < replay->step_count; turn++) {
        const json_t *entry = replay_entry(replay, turn, slot);
        if (entry)
            take_entry(story, turn, entry);
    }
}

/* ---- what is said -----------------------------------------------------------
 */

static const char *sentence_of(const char *verdict)
{
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (!strcmp(verdict_text((enum verdict)i), verdict))
            return verdict_sentence((enum verdict)i);
    return "(a verdict that this version does not know)";
}

static const char *advice_of(const struct story *story)
{
    static const struct {
        const char *verdict;
        const char *part;
        const char *advice;
    } line[] = {
#define WHY(verdict, part, advice) {verdict, part, advice},
#include "api/cli/why.def"
    };

    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        if (!strcmp(line[i].verdict, story->verdict) &&
            strstr(story->detail, line[i].part))
            return line[i].advice;
    return "";
}

static void add_advice(json_t *list, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_advice(json_t *list, const char *format, ...)
{
    auto_buf struct buf text = {0};
    va_list args;

    va_start(args, format);
    buf_add_vformat(&text, format, args);
    va_end(args);
    json_array_append_new(list, json_stringn(text.data, text.size));
}

/* Turns without a reply: which mistake makes such a pattern. */
static void advise_empty(const struct story *story, json_t *list)
{
    if (!story->empty)
        return;
    if (!story->replied && !story->skipped) {
        add_advice(list,
                   "It never replied in time: each turn it read to the end of "
                   "its view and wanted more before it printed. That is a loop "
                   "until end of input (`while (cin >> x)`, `while (scanf(...) "
                   "!= EOF)`, getline until it fails) or one large fread. The "
                   "input does not end between turns: read as many items as "
                   "the view says, then print.");
        return;
    }
    add_advice(list,
               "%" PRIu32 " of %" PRIu32
               " turns had no reply, first turn %" PRIu32
               ": it read past the end of its view before it printed, so the "
               "move was printed in the next turn, one late. Typical causes: "
               "white space at the end of a scanf format (\"%%d\\n\" waits for "
               "what comes after it), `cin >> ws`, one getline too many.",
               story->empty, story->asked, story->empty_first);
}

/* How near its limits it came: whether to spend more or to play better. */
static void advise_room(const struct replay *replay, const struct story *story,
                        json_t *list)
{
    const double turn =
        (double)story->highest / (double)replay->limits.turn_soft;
    const double match =
        (double)story->total / (double)replay->limits.match_total;
    char of_turn[16];
    char of_match[16];

    add_advice(list,
               "Its dearest turn, %" PRIu32 ", used %s of turn_soft, all turns "
               "together %s of match_total: %s.",
               story->highest_turn, kit_percent(turn, 1, of_turn),
               kit_percent(match, 1, of_match),
               turn < 0.5 && match < 0.5
                   ? "there is room to look further ahead"
                   : "it is near its limits, so a better move has to come from "
                     "a better or cheaper search (`bout profile` shows what "
                     "costs most)");
}

/* One that came through without a fault and did not win. */
static void advise_loser(const struct replay *replay, const struct story *all,
                         unsigned slot, json_t *list)
{
    const struct story *story = &all[slot];
    unsigned best = 0;

    if (strcmp(story->verdict, "ok") != 0 || story->rank <= 1)
        return;
    while (best + 1 < replay->slots && all[best].rank != 1)
        best++;
    add_advice(list,
               "It lost by the game itself, not by a fault: slot %u won with "
               "score %lld to its %lld, in turn %zu. `bout watch LOG` shows "
               "where the game turned; `bout debug LOG --turn N` stops the bot "
               "there with what it saw.",
               best, (long long)all[best].score, (long long)story->score,
               replay->step_count - 1);
    advise_room(replay, story, list);
}

static json_t *advices(const struct replay *replay, const struct story *all,
                       unsigned slot)
{
    const struct story *story = &all[slot];
    json_t *list = json_array();
    const char *advice = advice_of(story);
    char percent[16];

    if (*advice)
        add_advice(list, "%s", advice);
    advise_loser(replay, all, slot, list);
    advise_empty(story, list);
    if (story->early)
        add_advice(list,
                   "It printed before its first read: that belongs to turn 0, "
                   "which is ignored. Read first, then print.");
    if (story->skipped)
        add_advice(list,
                   "%" PRIu32 " turns were over turn_soft (%" PRIu64
                   " instructions%s), first turn %" PRIu32
                   ": their moves did not count. Stop the search earlier.",
                   story->skipped, replay->limits.turn_soft,
                   replay->limits.turn_bank ? " and what turns before it left"
                                            : "",
                   story->skipped_first);
    if (!story->skipped && !replay->limits.turn_bank &&
        (uint64_t)story->highest > replay->limits.turn_soft / 10 * 8)
        add_advice(list,
                   "Turn %" PRIu32 " used %s of turn_soft: a slightly harder "
                   "position will be skipped.",
                   story->highest_turn,
                   kit_percent((double)story->highest,
                               (double)replay->limits.turn_soft, percent));
    return list;
}

/* At most `width` columns; `first` goes before the first line, as many spaces
 * before the others. */
static void print_wrapped(const char *text, const char *first, size_t width)
{
    const char *indent = first;

    size_t column = 0;

    for (const char *at = text; *at;) {
        size_t word = strcspn(at, " ");
        if (column && column + 1 + word > width) {
            putchar('\n');
            column = 0;
            indent = "     " + 5 - strlen(first);
        }
        fputs(column ? " " : indent, stdout);
        cli_print_foreign(stdout, at, word);
        column += word + (column ? 1 : 0);
        at += word;
        at += *at == ' ';
    }
    putchar('\n');
}

static void print_story(unsigned slot, const struct replay *replay,
                        const struct story *all)
{
    const struct story *story = &all[slot];
    json_t *list = advices(replay, all, slot);
    json_t *advice;
    size_t i;

    printf("slot %u: place %lld of %u, score %lld. %s\n", slot,
           (long long)story->rank, replay->slots, (long long)story->score,
           sentence_of(story->verdict));
    if (*story->detail)
        print_wrapped(story->detail, "  ", 76);
    if (strcmp(story->verdict, "ok") != 0) {
        auto_free char *where =
            mem_format("It went out in turn %" PRIu32 " of %zu%s",
                       story->last_turn, replay->step_count - 1,
                       story->last_reply.size ? ", having printed:" : ".");
        print_wrapped(where, "  ", 76);
        if (story->last_reply.size) {
            size_t shown =
                story->last_reply.size < 200 ? story->last_reply.size : 200;
            fputs("    ", stdout);
            cli_print_foreign(stdout, story->last_reply.data, shown);
            if (story->last_reply.data[shown - 1] != '\n')
                putchar('\n');
        }
    }
    json_array_foreach(list, i, advice)
        print_wrapped(json_string_value(advice), "  -> ", 74);
    json_decref(list);
}

static json_t *story_json(unsigned slot, const struct replay *replay,
                          const struct story *all)
{
    const struct story *story = &all[slot];
    json_t *object = json_pack(
        "{s:i, s:I, s:I, s:s, s:s, s:s, s:I}", "slot", (int)slot, "rank",
        story->rank, "score", story->score, "verdict", story->verdict,
        "sentence", sentence_of(story->verdict), "detail", story->detail,
        "last_turn", (json_int_t)story->last_turn);

    json_object_set_new(object, "advice", advices(replay, all, slot));
    return object;
}

static int tell(const struct replay *replay, bool json)
{
    json_t *document = json_object();
    json_t *slots = json_array();
    auto_free struct story *all = mem_calloc(replay->slots, sizeof *all);

    if (!json) {
        cli_print_foreign(stdout, replay->game, strlen(replay->game));
        printf(", seed %s, %zu turns\n", replay->seed, replay->step_count - 1);
    }
    for (unsigned slot = 0; slot < replay->slots; slot++)
        read_story(replay, slot, &all[slot]);
    for (unsigned slot = 0; slot < replay->slots; slot++) {
        if (json)
            json_array_append_new(slots, story_json(slot, replay, all));
        else
            print_story(slot, replay, all);
    }
    for (unsigned slot = 0; slot < replay->slots; slot++)
        buf_release(&all[slot].last_reply);
    json_object_set_new(document, "game", json_string(replay->game));
    json_object_set_new(document, "seed", match_seed_json(replay->seed));
    json_object_set_new(document, "slots", slots);
    int code = json ? cli_print_json("why", document) : cli_finish("why");
    json_decref(document);
    return code;
}

int cmd_why(int argc, char **argv)
{
    bool json = false;
    const struct cli_option options[] = {
        {"json", 0, CLI_FLAG, &json, NULL, "print one JSON document", false},
        {0},
    };
    const struct cli_command command = {
        .name = "why",
        .operands = "LOG",
        .text = "Tells in words how a match ended for each bot, and what to do "
                "about it. LOG is what\n`bout play --replay` wrote, or a "
                "match's /replay from a service.",
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
    if (replay_open(&replay, operands.item[0], &err) < 0)
        return cli_fail(command.name, &err);
    code = tell(&replay, json);
    replay_release(&replay);
    return code;
}
