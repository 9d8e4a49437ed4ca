/* replay: prints a match log; with --verify plays it again. */
#include "api/cli/cli.h"

#include "runner/base/cleanup.h"
#include "runner/match/match_log.h"
#include "runner/match/replay.h"
#include "runner/work/gamebook.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

int cmd_replay(int argc, char **argv);

/* ---- print -----------------------------------------------------------------
 */

/* A text of a log with its newlines, indented. */
static void print_text(const json_t *entry, const char *key)
{
    auto_buf struct buf text = {0};

    if (!replay_text(entry, key, &text)) {
        printf("    %s: only its hash is kept\n", key);
        return;
    }
    for (size_t at = 0; at < text.size;) {
        const char *newline = memchr(text.data + at, '\n', text.size - at);
        size_t size =
            newline ? (size_t)(newline - text.data) - at : text.size - at;
        fputs(strcmp(key, "view") == 0 ? "  > " : "  < ", stdout);
        cli_print_foreign(stdout, text.data + at, size);
        putchar('\n');
        at += size + 1;
    }
}

static void print_step(const struct replay *replay, uint32_t turn)
{
    const json_t *slots = json_object_get(replay->step[turn], "slots");

    printf("turn %" PRIu32 "\n", turn);
    for (size_t i = 0; i < json_array_size(slots); i++) {
        const json_t *entry = json_array_get(slots, i);
        const json_t *count = json_object_get(entry, "instructions");

        printf(" slot %lld: %s, ",
               (long long)json_integer_value(json_object_get(entry, "slot")),
               json_string_value(json_object_get(entry, "status")));
        if (json_is_integer(count))
            printf("%lld instructions, ", (long long)json_integer_value(count));
        else
            printf("instructions not counted, ");
        printf("%lld bytes\n", (long long)json_integer_value(
                                   json_object_get(entry, "memory_bytes")));
        print_text(entry, "view");
        print_text(entry, "reply");
    }
}

static void print_results(const struct replay *replay)
{
    const json_t *results = json_object_get(replay->end, "results");
    json_t *result;
    size_t i;

    json_array_foreach(results, i, result) {
        const char *verdict =
            json_string_value(json_object_get(result, "verdict"));
        const char *detail =
            json_string_value(json_object_get(result, "detail"));
        printf("slot %zu: rank %lld, score %lld, ", i,
               (long long)json_integer_value(json_object_get(result, "rank")),
               (long long)json_integer_value(json_object_get(result, "score")));
        cli_print_foreign(stdout, verdict ? verdict : "?",
                          strlen(verdict ? verdict : "?"));
        if (detail && *detail) {
            fputs(" (", stdout);
            cli_print_foreign(stdout, detail, strlen(detail));
            putchar(')');
        }
        printf(", %lld instructions\n",
               (long long)json_integer_value(
                   json_object_get(result, "instructions")));
    }
}

static json_t *replay_json(const struct replay *replay)
{
    json_t *document = json_deep_copy(replay->head);
    json_t *steps = json_array();

    for (size_t turn = 0; turn < replay->step_count; turn++)
        json_array_append(steps, replay->step[turn]);
    json_object_set_new(document, "steps", steps);
    json_object_set(document, "results",
                    json_object_get(replay->end, "results"));
    return document;
}

static int print(const struct replay *replay, bool json)
{
    if (json) {
        json_t *document = replay_json(replay);
        int code = cli_print_json("replay", document);
        json_decref(document);
        return code;
    }
    cli_print_foreign(stdout, replay->game, strlen(replay->game));
    printf(", seed %s, %u slots, %zu turns, game version %s\n", replay->seed,
           replay->slots, replay->step_count - 1, replay->game_version);
    for (uint32_t turn = 0; turn < replay->step_count; turn++)
        print_step(replay, turn);
    print_results(replay);
    return cli_finish("replay");
}

/* ---- verify ----------------------------------------------------------------
 */

/* What a match is played with, by slot; a build may be in several slots. */
struct cast {
    struct replay_cast in;
    struct build *held[2 * MATCH_MAX_SLOTS]; /* all that is to be freed */
    size_t held_count;
};

static void cast_release(struct cast *cast)
{
    for (size_t i = 0; i < cast->held_count; i++)
        build_free(cast->held[i]);
}

/* Gives the build every part that it fits; what fits none is let go. */
static void cast_offer(struct cast *cast, const struct replay *replay,
                       struct build *build)
{
    bool used = false;

    if (!cast->in.game && !strcmp(build->hash, replay->game_version)) {
        cast->in.game = build;
        used = true;
    }
    for (unsigned slot = 0; slot < replay->slots; slot++) {
        if (cast->in.bot[slot] || !replay_is_build(replay, slot, build))
            continue;
        cast->in.bot[slot] = build;
        used = true;
    }
    if (used)
        cast->held[cast->held_count++] = build;
    else
        build_free(build);
}

/* Is there a slot that this build hash could fill? */
static bool cast_wants(const struct cast *cast, const struct replay *replay,
                       const char *build_hash)
{
    char hex[HASH_HEX_SIZE];

    match_log_build(replay->seed, build_hash, hex);
    for (unsigned slot = 0; slot < replay->slots; slot++)
        if (!cast->in.bot[slot] && !strcmp(hex, replay->build[slot]))
            return true;
    return false;
}

/* The cache holds builds by their hash; the log names them mixed with the seed,
 * so each name there is mixed and compared. */
static int cast_from_cache(struct cast *cast, const struct replay *replay,
                           struct err *err)
{
    auto_free char *folder = build_cache_folder(err);

    if (!folder)
        return -1;
    auto_dir DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        char hash[HASH_HEX_SIZE] = "";

        if (strlen(entry->d_name) != 64 + 4 ||
            strcmp(entry->d_name + 64, ".bot") != 0)
            continue;
        memcpy(hash, entry->d_name, 64);
        if (!cast_wants(cast, replay, hash))
            continue;
        struct build *build = build_cache_get(hash, err);
        if (!build)
            return -1;
        cast_offer(cast, replay, build);
    }
    return 0;
}

static int cast_game(struct cast *cast, const struct replay *replay,
                     struct err *err)
{
    if (cast->in.game)
        return 0;
    struct build *build =
        gamebook_version(replay->game, replay->game_version, err);
    if (!build)
        return -1;
    cast_offer(cast, replay, build);
    return 0;
}

/* An argument that is in no part of the match is a mistake worth telling. */
static int cast_argument(struct cast *cast, const struct replay *replay,
                         const char *path, struct err *err)
{
    struct build *build = build_open_or_make(path, err);

    if (!build)
        return -1;
    bool plays = !strcmp(build->hash, replay->game_version);
    for (unsigned slot = 0; slot < replay->slots; slot++)
        plays = plays || replay_is_build(replay, slot, build);
    cast_offer(cast, replay, build);
    if (!plays)
        return err_set(err, ERR_INPUT,
                       "%s did not play in this match (is it another version "
                       "of the program?)",
                       path);
    return 0;
}

static int cast_all(struct cast *cast, const struct replay *replay,
                    const struct cli_operands *given, struct err *err)
{
    for (size_t i = 1; i < given->count; i++)
        if (cast_argument(cast, replay, given->item[i], err) < 0)
            return -1;
    if (cast_from_cache(cast, replay, err) < 0)
        return -1;
    for (unsigned slot = 0; slot < replay->slots; slot++)
        if (!cast->in.bot[slot])
            return err_set(err, ERR_MISSING,
                           "slot %u: its build is neither among the arguments "
                           "nor kept here; name its .bot file or source",
                           slot);
    return cast_game(cast, replay, err);
}

static int verify(const struct replay *replay, const struct cli_operands *given,
                  bool json, struct err *err)
{
    auto_zygote struct zygote *zygote = zygote_start(-1, err);
    struct cast cast = {0};
    struct err why = {0};

    if (!zygote)
        return -1;
    int same = cast_all(&cast, replay, given, err);
    if (same == 0)
        same = replay_verify(zygote, replay, &cast.in, &why, err);
    cast_release(&cast);
    if (same < 0)
        return -1;
    if (json) {
        json_t *document = json_pack("{s:b, s:s}", "verified", same, "detail",
                                     same ? "" : why.msg);
        int code = cli_print_json("replay", document);
        json_decref(document);
        return code != CLI_DONE ? code : same ? CLI_DONE : CLI_REFUSED;
    }
    if (!same)
        return cli_fail("replay", &why);
    puts("verified: played again, every byte of the log is the same");
    return cli_finish("replay");
}

int cmd_replay(int argc, char **argv)
{
    bool must_verify = false;
    bool json = false;
    const struct cli_option options[] = {
        {"verify", 0, CLI_FLAG, &must_verify, NULL,
         "play it again and compare every byte", false},
        {"json", 0, CLI_FLAG, &json, NULL, "print one JSON document", false},
        {0},
    };
    const struct cli_command command = {
        .name = "replay",
        .operands = "FILE [BOT|SRC...]",
        .text = "Prints a match log. With --verify plays the match again; "
                "builds that are not among\nthe arguments come from where "
                "`build` and `play` keep them.",
        .option = options,
        .operands_min = 1,
        .operands_max = 1 + MATCH_MAX_SLOTS + 1,
    };
    struct cli_operands operands;
    struct replay replay;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (operands.count > 1 && !must_verify)
        return cli_usage(command.name, "builds are for --verify");
    if (replay_open(&replay, operands.item[0], &err) < 0)
        return cli_fail(command.name, &err);
    code = must_verify ? verify(&replay, &operands, json, &err)
                       : print(&replay, json);
    replay_release(&replay);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
