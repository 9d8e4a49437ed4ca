/* play: one match here, without a server. */
#include "api/cli/cli.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/match/match.h"
#include "runner/match/profile.h"
#include "runner/work/gamebook.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

int cmd_play(int argc, char **argv);

struct play {
    const char *game;
    char **path; /* of the bots */
    unsigned slots;
    char seed[MATCH_SEED_SIZE];
    json_t *limits; /* what --limit gave */
    const char *replay;
    const char *profile;
    bool json;
};

/* ---- builds ----------------------------------------------------------------
 */

/* Keeping builds for `bout replay --verify` is best effort: said once. */
static void keep_build(const struct build *build, bool *warned)
{
    struct err err;

    if (build_cache_put(build, &err) == 0 || *warned)
        return;
    *warned = true;
    fprintf(stderr,
            "bout play: builds are not kept for `bout replay --verify`: %s\n",
            err.msg);
}

/* Equal paths are one build: a bot may play itself. */
static int open_bots(const struct play *play, struct match_spec *spec,
                     struct err *err)
{
    bool warned = false;

    keep_build(spec->game, &warned);
    for (unsigned slot = 0; slot < play->slots; slot++) {
        for (unsigned other = 0; other < slot && !spec->bot[slot]; other++)
            if (!strcmp(play->path[other], play->path[slot]))
                spec->bot[slot] = spec->bot[other];
        if (spec->bot[slot])
            continue;
        spec->bot[slot] = build_open_or_make(play->path[slot], err);
        if (!spec->bot[slot])
            return -1;
        keep_build(spec->bot[slot], &warned);
    }
    return 0;
}

static void release_bots(struct match_spec *spec)
{
    for (unsigned slot = 0; slot < spec->slots; slot++) {
        bool is_first = true;
        for (unsigned other = 0; other < slot; other++)
            is_first = is_first && spec->bot[other] != spec->bot[slot];
        if (is_first)
            build_free(spec->bot[slot]);
    }
}

/* ---- what people see -------------------------------------------------------
 */

static void show_progress(void *user, unsigned turn)
{
    const struct match_spec *spec = user;

    fprintf(stderr, "\r%s: turn %u ", spec->game_name, turn);
    fflush(stderr);
}

static void print_table(const struct match_spec *spec,
                        const struct match *match, char *const *names)
{
    printf("%s, seed %s, %u turns\n", spec->game_name, spec->seed,
           match->turns);
    puts("rank  slot     score  verdict     instructions  bot");
    for (unsigned rank = 1; rank <= match->slots; rank++) {
        for (unsigned slot = 0; slot < match->slots; slot++) {
            const struct match_result *result = &match->result[slot];
            if (result->rank != rank)
                continue;
            printf("%4u  %4u  %8" PRId64 "  %-9s  %13" PRIu64 "  ", rank, slot,
                   result->score, verdict_text(result->verdict),
                   result->instructions);
            cli_print_foreign(stdout, names[slot], strlen(names[slot]));
            putchar('\n');
        }
    }
    for (unsigned slot = 0; slot < match->slots; slot++) {
        const struct match_result *result = &match->result[slot];
        if (result->verdict == VERDICT_OK && !*result->detail)
            continue;
        printf("slot %u, turn %" PRIu32 ": %s", slot, result->last_turn,
               verdict_sentence(result->verdict));
        if (*result->detail)
            printf(" (%s)", result->detail);
        if (*result->private_detail)
            printf(" [%s]", result->private_detail);
        putchar('\n');
        if (*result->ending)
            printf("  %s\n", result->ending);
    }
}

/* ---- one match -------------------------------------------------------------
 */

static int save(const struct play *play, const struct match_spec *spec,
                const struct match *match, struct err *err)
{
    if (play->replay && io_write_file(play->replay, match->log.data,
                                      match->log.size, 0644, err) < 0)
        return -1;
    if (!play->profile)
        return 0;
    if (io_make_folders(play->profile, 0755, err) < 0)
        return -1;
    return match_profile_save(spec, match, play->profile, err);
}

static int play_bots(struct zygote *zygote, const struct play *play,
                     struct match_spec *spec, struct err *err)
{
    struct match match = {0};

    if (isatty(STDERR_FILENO)) {
        spec->progress = show_progress;
        spec->user = spec;
    }
    int code = match_play(zygote, spec, &match, err);
    if (spec->progress)
        fputs("\r\033[K", stderr);
    if (code < 0)
        return -1;
    code = save(play, spec, &match, err);
    if (code == 0 && play->json) {
        json_t *document = match_json(spec, &match, play->path);
        code = cli_print_json("play", document);
        json_decref(document);
    } else if (code == 0) {
        print_table(spec, &match, play->path);
        code = cli_finish("play");
    }
    match_release(&match);
    return code;
}

/* A service only lets limits be lowered, so what is won here may be lost there.
 */
static void say_raised(json_t *given, const struct limits *own)
{
    const char *key;
    json_t *value;

    json_object_foreach(given, key, value) {
        struct limits lowered = *own;
        struct err err;
        json_t *one = json_pack("{s:O}", key, value);
        if (limits_apply(&lowered, one, true, &err) < 0)
            fprintf(stderr,
                    "bout play: %s=%lld is above the game's own limit: no "
                    "service plays with it\n",
                    key, (long long)json_integer_value(value));
        json_decref(one);
    }
}

static int play_game(struct zygote *zygote, const struct play *play,
                     struct gamebook *book, struct err *err)
{
    struct gamebook_entry *game = gamebook_get(book, play->game, err);
    char slots[32];

    if (!game || !gamebook_referee(game, zygote, err))
        return -1;
    struct match_spec spec = {
        .game_name = play->game,
        .game = game->referee,
        .slots = play->slots,
        .seed = play->seed,
        .profile = play->profile != NULL,
    };
    limits_init(&spec.limits, game->about.turn_soft, game->about.turn_bank,
                game->about.turns);
    if (play->slots < game->about.min_slots ||
        play->slots > game->about.max_slots)
        return cli_usage("play", "%s is for %s bots, not %u", play->game,
                         gamebook_slots(&game->about, slots, sizeof slots),
                         play->slots);
    const struct limits own = spec.limits;
    if (limits_apply(&spec.limits, play->limits, false, err) < 0)
        return cli_usage("play", "%s", err->msg);
    say_raised(play->limits, &own);
    int code = open_bots(play, &spec, err);
    if (code == 0)
        code = play_bots(zygote, play, &spec, err);
    release_bots(&spec);
    return code;
}

static int run(const struct play *play, struct err *err)
{
    auto_zygote struct zygote *zygote = zygote_start(-1, err);
    auto_gamebook struct gamebook book = {0};

    if (!zygote || gamebook_read(&book, err) < 0)
        return -1;
    return play_game(zygote, play, &book, err);
}

static int read_values(struct play *play, const char *seed,
                       const struct cli_list *limits, struct err *err)
{
    if (seed && match_seed_parse(seed, play->seed, err) < 0)
        return -1;
    if (!seed)
        snprintf(play->seed, sizeof play->seed, "%" PRIu32,
                 randombytes_random());
    for (size_t i = 0; i < limits->count; i++)
        if (limits_parse(play->limits, limits->item[i], err) < 0)
            return -1;
    return 0;
}

int cmd_play(int argc, char **argv)
{
    auto_cli_list struct cli_list limits = {0};
    const char *seed = NULL;
    struct play play = {0};
    const struct cli_option options[] = {
        {"seed", 0, CLI_TEXT, &seed, "N|HEX",
         "what the match is drawn from; default: any", false},
        {"limit", 0, CLI_LIST, &limits, "KEY=VALUE", "a limit of `bout limits`",
         false},
        {"json", 0, CLI_FLAG, &play.json, NULL, "print one JSON document",
         false},
        {"replay", 0, CLI_TEXT, &play.replay, "FILE",
         "write the match log, for `bout replay`", false},
        {"profile", 0, CLI_TEXT, &play.profile, "DIR",
         "write what each bot spent its instructions on", false},
        {0},
    };
    const struct cli_command command = {
        .name = "play",
        .operands = "GAME BOT BOT...",
        .text = "Plays one match here, between builds (.bot) or sources.",
        .option = options,
        .operands_min = 2,
        .operands_max = 1 + MATCH_MAX_SLOTS,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    play.game = operands.item[0];
    play.path = operands.item + 1;
    play.slots = (unsigned)operands.count - 1;
    for (unsigned slot = 0; slot < play.slots; slot++) {
        code = cli_check_output(command.name, play.replay, play.path[slot]);
        if (code != CLI_GO_ON)
            return code;
    }
    play.limits = json_object();
    if (read_values(&play, seed, &limits, &err) < 0)
        code = cli_usage(command.name, "%s", err.msg);
    else
        code = run(&play, &err);
    json_decref(play.limits);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
