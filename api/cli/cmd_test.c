/* test: a bot against the samples (or others) over many seeds. */
#include "api/cli/cli.h"
#include "api/cli/kit.h"
#include "api/cli/trial.h"

#include "runner/base/cleanup.h"
#include "runner/build/source.h"
#include "runner/work/gamebook.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

int cmd_test(int argc, char **argv);

#define TEST_MATCHES 20
#define TEST_MATCHES_MOST 1000000
#define TEST_ATTEMPTS 3 /* of a match, while the host is starved */

struct test {
    const char *bot;
    const char *game;
    const struct cli_list *against; /* empty: the samples */
    uint64_t matches;               /* against each */
    uint64_t seed;                  /* of the first */
    json_t *limits;
    bool json;
};

/* What is played with. Builds of samples belong to the gamebook. */
struct cast {
    struct build *bot;
    struct build **rival;
    size_t owned; /* rivals that are ours to free */
};

static void cast_release(struct cast *cast)
{
    build_free(cast->bot);
    for (size_t i = 0; i < cast->owned; i++)
        build_free(cast->rival[i]);
    free(cast->rival);
}

static void add_rival(struct trial *trial, struct cast *cast, const char *path,
                      struct build *build)
{
    unsigned at = trial->rival_count++;

    trial->rival =
        mem_realloc(trial->rival, trial->rival_count * sizeof *trial->rival);
    cast->rival =
        mem_realloc(cast->rival, trial->rival_count * sizeof(struct build *));
    trial->rival[at] = (struct trial_rival){.name = source_base_name(path)};
    cast->rival[at] = build;
}

static int open_rivals(const struct test *test, struct gamebook_entry *game,
                       struct trial *trial, struct cast *cast, struct err *err)
{
    for (size_t i = 0; i < test->against->count; i++) {
        const char *path = test->against->item[i];
        struct build *build = build_open_or_make(path, err);
        if (!build)
            return -1;
        add_rival(trial, cast, path, build);
        cast->owned++;
    }
    if (test->against->count)
        return 0;
    for (size_t i = 0; i < game->sample_count; i++) {
        struct build *build = gamebook_sample(game, i, err);
        if (!build)
            return -1;
        add_rival(trial, cast, game->sample[i], build);
    }
    if (!game->sample_count)
        return err_set(err, ERR_MISSING,
                       "%s has no sample bots: name some with --against",
                       test->game);
    return 0;
}

/* Places change from match to match: with two slots each seed is played twice,
 * from both sides. */
static int play_one(struct zygote *zygote, struct match_spec *spec,
                    const struct cast *cast, struct trial *trial,
                    const uint64_t which[3], struct err *err)
{
    unsigned slot = (unsigned)(which[1] % spec->slots);
    char seed[MATCH_SEED_SIZE];
    struct match match = {0};
    int code = -1;

    snprintf(seed, sizeof seed, "%" PRIu64, which[2] + which[1] / spec->slots);
    spec->seed = seed;
    for (unsigned other = 0; other < spec->slots; other++)
        spec->bot[other] = other == slot ? cast->bot : cast->rival[which[0]];
    err->kind = ERR_BUSY;
    for (int i = 0; code < 0 && i < TEST_ATTEMPTS && err->kind == ERR_BUSY; i++)
        code = match_play(zygote, spec, &match, err);
    if (code < 0)
        return err_wrap(err, "seed %s", seed);
    trial_add(trial, (unsigned)which[0], &match, slot, seed);
    match_release(&match);
    return 0;
}

static int play_all(struct zygote *zygote, const struct test *test,
                    struct match_spec *spec, const struct cast *cast,
                    struct trial *trial, struct err *err)
{
    bool shows = isatty(STDERR_FILENO);
    int code = 0;

    for (unsigned rival = 0; rival < trial->rival_count && code == 0; rival++)
        for (uint64_t i = 0; i < test->matches && code == 0; i++) {
            const uint64_t which[3] = {rival, i, test->seed};
            if (shows)
                fprintf(stderr, "\r\033[K%s: match %" PRIu64 " of %" PRIu64,
                        trial->rival[rival].name, i + 1, test->matches);
            code = play_one(zygote, spec, cast, trial, which, err);
        }
    if (shows)
        fputs("\r\033[K", stderr);
    return code;
}

static int report(const struct test *test, struct trial *trial)
{
    if (!test->json) {
        trial_print(trial);
        return cli_finish("test");
    }
    json_t *document = trial_json(trial);
    int code = cli_print_json("test", document);
    json_decref(document);
    return code;
}

static int run_game(struct zygote *zygote, const struct test *test,
                    struct gamebook *book, struct err *err)
{
    struct gamebook_entry *game = gamebook_get(book, test->game, err);
    struct trial trial = {.game = test->game, .bot = test->bot};
    struct cast cast = {0};

    if (!game || !gamebook_referee(game, zygote, err))
        return -1;
    struct match_spec spec = {
        .game_name = test->game,
        .game = game->referee,
        .slots = game->about.min_slots < 2 ? 2 : game->about.min_slots,
    };
    if (game->about.max_slots < 2)
        spec.slots = 1;
    limits_init(&spec.limits, game->about.turn_soft, game->about.turn_bank,
                game->about.turns);
    if (limits_apply(&spec.limits, test->limits, false, err) < 0)
        return cli_usage("test", "%s", err->msg);
    trial.limits = spec.limits;
    cast.bot = build_open_or_make(test->bot, err);
    int code = cast.bot ? open_rivals(test, game, &trial, &cast, err) : -1;
    if (code == 0)
        code = play_all(zygote, test, &spec, &cast, &trial, err);
    if (code == 0)
        code = report(test, &trial);
    cast_release(&cast);
    trial_release(&trial);
    return code;
}

static int run(const struct test *test, struct err *err)
{
    auto_zygote struct zygote *zygote = zygote_start(-1, err);
    auto_gamebook struct gamebook book = {0};

    if (!zygote || gamebook_read(&book, err) < 0)
        return -1;
    return run_game(zygote, test, &book, err);
}

static int read_limits(json_t *limits, const struct cli_list *given,
                       struct err *err)
{
    for (size_t i = 0; i < given->count; i++)
        if (limits_parse(limits, given->item[i], err) < 0)
            return -1;
    return 0;
}

int cmd_test(int argc, char **argv)
{
    auto_cli_list struct cli_list against = {0};
    auto_cli_list struct cli_list limits = {0};
    struct test test = {
        .against = &against, .matches = TEST_MATCHES, .seed = 1};
    const struct cli_option options[] = {
        {"game", 'g', CLI_TEXT, &test.game, "NAME",
         "what it plays; default: what `bout new` noted", false},
        {"against", 'a', CLI_LIST, &against, "BOT",
         "play this one and not the samples; may be given again", false},
        {"matches", 'n', CLI_NUMBER, &test.matches, "N",
         "against each; default 20", false},
        {"seed", 0, CLI_NUMBER, &test.seed, "N", "the first seed; default 1",
         false},
        {"limit", 0, CLI_LIST, &limits, "KEY=VALUE", "a limit of `bout limits`",
         false},
        {"json", 0, CLI_FLAG, &test.json, NULL, "print one JSON document",
         false},
        {0},
    };
    const struct cli_command command = {
        .name = "test",
        .operands = "BOT",
        .text = "Plays a bot against the sample bots of its game over many "
                "seeds, from all places,\nand tells how it did and how near it "
                "came to its limits.",
        .option = options,
        .operands_min = 1,
        .operands_max = 1,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (test.matches < 1 || test.matches > TEST_MATCHES_MOST)
        return cli_usage(command.name, "--matches is 1 to %d",
                         TEST_MATCHES_MOST);
    if (test.seed > LIMITS_MAX_NUMBER - test.matches)
        return cli_usage(command.name, "--seed is too large");
    test.bot = operands.item[0];
    auto_free char *noted = test.game ? NULL : kit_game(test.bot, &err);
    if (!test.game && !noted)
        return cli_fail(command.name, &err);
    test.game = test.game ? test.game : noted;
    test.limits = json_object();
    if (read_limits(test.limits, &limits, &err) < 0)
        code = cli_usage(command.name, "%s", err.msg);
    else
        code = run(&test, &err);
    json_decref(test.limits);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
