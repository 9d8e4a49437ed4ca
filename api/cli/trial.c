#include "api/cli/trial.h"

#include "api/cli/cli.h"
#include "api/cli/kit.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void trial_release(struct trial *trial)
{
    for (unsigned i = 0; i < trial->rival_count; i++) {
        free(trial->rival[i].name);
        free(trial->rival[i].course);
    }
    free(trial->rival);
    free(trial->turn);
    *trial = (struct trial){0};
}

void trial_interval(double points, unsigned count, double *low, double *high)
{
    const double z = 1.959964; /* 97.5 % of the normal distribution */
    double n = count;
    double rate = points / n;
    double centre = (rate + z * z / (2 * n)) / (1 + z * z / n);
    double half =
        z / (1 + z * z / n) * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));

    *low = fmax(0, centre - half);
    *high = fmin(1, centre + half);
}

/* ---- filling ----------------------------------------------------------------
 */

/* FNV-1a over what everybody printed, turn by turn: equal for equal matches. */
static uint64_t course_of(const struct match *match)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < match->turn_count; i++) {
        const struct match_turn *row = &match->turn[i];
        hash = (hash ^ row->turn ^ row->slot << 16) * 0x100000001b3u;
        for (size_t at = 0; at < row->reply_size; at++)
            hash = (hash ^ (unsigned char)row->reply[at]) * 0x100000001b3u;
    }
    return hash;
}

static void add_course(struct trial_rival *rival, uint64_t course)
{
    for (unsigned i = 0; i < rival->different; i++)
        if (rival->course[i] == course)
            return;
    rival->course = mem_realloc(rival->course,
                                (rival->different + 1) * sizeof *rival->course);
    rival->course[rival->different++] = course;
}

static void add_outcome(struct trial_rival *rival, const struct match *match,
                        unsigned slot)
{
    unsigned mine = match->result[slot].rank;
    bool shared = false;

    for (unsigned other = 0; other < match->slots; other++)
        shared = shared || (other != slot && match->result[other].rank == mine);
    if (mine > 1)
        rival->losses++;
    else if (shared)
        rival->ties++;
    else
        rival->wins++;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_turn(struct trial *trial, const struct match_turn *row)
{
    trial->memory_highest = larger(trial->memory_highest, row->memory_bytes);
    if (row->turn == 0) {
        trial->startup_highest =
            larger(trial->startup_highest, row->instructions);
        return;
    }
    trial->reply_highest = larger(trial->reply_highest, row->reply_size);
    if (!row->counted)
        return;
    if (trial->turn_count == trial->turn_capacity) {
        trial->turn_capacity =
            trial->turn_capacity ? 2 * trial->turn_capacity : 1024;
        trial->turn = mem_realloc(trial->turn,
                                  trial->turn_capacity * sizeof *trial->turn);
    }
    trial->turn[trial->turn_count++] = row->instructions;
}

static void add_trouble(struct trial *trial, unsigned rival, unsigned slot,
                        const char *seed, const struct match_result *result)
{
    if (result->verdict == VERDICT_OK && !*result->detail)
        return;
    if (trial->trouble_count < TRIAL_TROUBLES) {
        struct trial_trouble *trouble = &trial->trouble[trial->trouble_count];
        *trouble = (struct trial_trouble){
            .rival = rival,
            .slot = slot,
            .turn = result->last_turn,
            .verdict = result->verdict,
        };
        snprintf(trouble->seed, sizeof trouble->seed, "%s", seed);
        snprintf(trouble->detail, sizeof trouble->detail, "%s", result->detail);
        snprintf(trouble->place, sizeof trouble->place, "%s",
                 result->private_detail);
    }
    trial->trouble_count++;
}

void trial_add(struct trial *trial, unsigned rival, const struct match *match,
               unsigned slot, const char *seed)
{
    uint64_t total = 0;

    add_outcome(&trial->rival[rival], match, slot);
    add_course(&trial->rival[rival], course_of(match));
    for (size_t i = 0; i < match->turn_count; i++) {
        const struct match_turn *row = &match->turn[i];
        if (row->slot != slot)
            continue;
        add_turn(trial, row);
        if (row->turn > 0 &&
            __builtin_add_overflow(total, row->instructions, &total))
            total = UINT64_MAX;
    }
    trial->match_highest = larger(trial->match_highest, total);
    add_trouble(trial, rival, slot, seed, &match->result[slot]);
}

/* ---- what comes out ---------------------------------------------------------
 */

static int count_compare(const void *a, const void *b)
{
    const uint64_t *left = a;
    const uint64_t *right = b;

    return (*left > *right) - (*left < *right);
}

/* The counts in order; 0 where there are none. */
static uint64_t turn_at(struct trial *trial, double part)
{
    if (!trial->turn_count)
        return 0;
    qsort(trial->turn, trial->turn_count, sizeof *trial->turn, count_compare);
    return trial->turn[(size_t)(part * (double)(trial->turn_count - 1))];
}

static unsigned played(const struct trial_rival *rival)
{
    return rival->wins + rival->ties + rival->losses;
}

static double points(const struct trial_rival *rival)
{
    return rival->wins + rival->ties / 2.0;
}

static void print_rivals(const struct trial *trial)
{
    bool repeats = false;

    printf("%-24s %7s %5s %5s %5s %6s  %s\n", "against", "matches", "won",
           "tied", "lost", "rate", "95 % interval");
    for (unsigned i = 0; i < trial->rival_count; i++) {
        const struct trial_rival *rival = &trial->rival[i];
        unsigned count = played(rival);
        double low;
        double high;

        trial_interval(points(rival), count, &low, &high);
        printf("%-24s %7u %5u %5u %5u   %.2f  %.2f to %.2f", rival->name, count,
               rival->wins, rival->ties, rival->losses, points(rival) / count,
               low, high);
        if (rival->different < count) {
            printf("  (%u different)", rival->different);
            repeats = true;
        }
        putchar('\n');
    }
    if (repeats)
        puts("Where fewer matches are different, the same was played again: "
             "neither the seed\nnor the bots' random numbers mattered, and the "
             "interval means little.");
}

static void print_near(const char *what, uint64_t number, const char *limit,
                       uint64_t of)
{
    char percent[16];

    printf("%-28s %13" PRIu64 "  %7s of %s\n", what, number,
           kit_percent((double)number, (double)of, percent), limit);
}

static void print_limits(struct trial *trial)
{
    const struct limits *limits = &trial->limits;
    uint64_t highest = turn_at(trial, 1);

    putchar('\n');
    print_near("instructions, median turn", turn_at(trial, 0.5), "turn_soft",
               limits->turn_soft);
    print_near("instructions, highest turn", highest, "turn_soft",
               limits->turn_soft);
    if (limits->turn_bank)
        print_near("  with all that it may save", highest,
                   "turn_soft + turn_bank",
                   limits->turn_soft + limits->turn_bank);
    print_near("instructions, highest match", trial->match_highest,
               "match_total", limits->match_total);
    print_near("instructions, start-up", trial->startup_highest, "startup",
               limits->startup);
    print_near("memory, highest", trial->memory_highest, "memory_bytes",
               limits->memory_bytes);
    print_near("reply, longest", trial->reply_highest, "reply_bytes",
               limits->reply_bytes);
}

static void print_trouble(const struct trial *trial,
                          const struct trial_trouble *trouble)
{
    const char *rival = trial->rival[trouble->rival].name;

    printf("  against %s, slot %u, seed %s, turn %" PRIu32 ": %s", rival,
           trouble->slot, trouble->seed, trouble->turn,
           verdict_text(trouble->verdict));
    if (*trouble->detail) {
        fputs(" (", stdout);
        cli_print_foreign(stdout, trouble->detail, strlen(trouble->detail));
        putchar(')');
    }
    if (*trouble->place) {
        fputs(" [", stdout);
        cli_print_foreign(stdout, trouble->place, strlen(trouble->place));
        putchar(']');
    }
    putchar('\n');
}

void trial_print(struct trial *trial)
{
    printf("%s plays %s\n\n", trial->bot, trial->game);
    print_rivals(trial);
    print_limits(trial);
    if (!trial->trouble_count) {
        puts("\nNo trouble: every match was played to its end.");
        return;
    }
    printf("\nTrouble in %u match%s; `bout play ... --seed SEED --replay FILE` "
           "plays one again,\n`bout why FILE` tells more:\n",
           trial->trouble_count, trial->trouble_count == 1 ? "" : "es");
    unsigned shown = trial->trouble_count < 5 ? trial->trouble_count : 5;
    for (unsigned i = 0; i < shown; i++)
        print_trouble(trial, &trial->trouble[i]);
}

/* ---- JSON -------------------------------------------------------------------
 */

static json_t *number(uint64_t value)
{
    return json_integer(
        (json_int_t)(value < LIMITS_MAX_NUMBER ? value : LIMITS_MAX_NUMBER));
}

static json_t *rival_json(const struct trial_rival *rival)
{
    unsigned count = played(rival);
    double low;
    double high;

    trial_interval(points(rival), count, &low, &high);
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f}", "name",
                     rival->name, "matches", (int)count, "different",
                     (int)rival->different, "wins", (int)rival->wins, "ties",
                     (int)rival->ties, "losses", (int)rival->losses, "rate",
                     points(rival) / count, "low", low, "high", high);
}

static json_t *trouble_json(const struct trial *trial,
                            const struct trial_trouble *trouble)
{
    json_t *object = json_pack(
        "{s:s, s:i, s:i, s:s, s:s, s:s}", "against",
        trial->rival[trouble->rival].name, "slot", (int)trouble->slot, "turn",
        (int)trouble->turn, "verdict", verdict_text(trouble->verdict), "detail",
        trouble->detail, "place", trouble->place);

    json_object_set_new(object, "seed", match_seed_json(trouble->seed));
    return object;
}

json_t *trial_json(struct trial *trial)
{
    json_t *document =
        json_pack("{s:s, s:s}", "game", trial->game, "bot", trial->bot);
    json_t *rivals = json_array();
    json_t *troubles = json_array();

    for (unsigned i = 0; i < trial->rival_count; i++)
        json_array_append_new(rivals, rival_json(&trial->rival[i]));
    for (unsigned i = 0; i < trial->trouble_count && i < TRIAL_TROUBLES; i++)
        json_array_append_new(troubles,
                              trouble_json(trial, &trial->trouble[i]));
    json_object_set_new(document, "opponents", rivals);
    json_object_set_new(document, "turns", number(trial->turn_count));
    json_object_set_new(document, "turn_median", number(turn_at(trial, 0.5)));
    json_object_set_new(document, "turn_highest", number(turn_at(trial, 1)));
    json_object_set_new(document, "match_highest",
                        number(trial->match_highest));
    json_object_set_new(document, "startup_highest",
                        number(trial->startup_highest));
    json_object_set_new(document, "memory_highest",
                        number(trial->memory_highest));
    json_object_set_new(document, "reply_highest",
                        number(trial->reply_highest));
    json_object_set_new(document, "limits", limits_json(&trial->limits));
    json_object_set_new(document, "trouble_count",
                        json_integer(trial->trouble_count));
    json_object_set_new(document, "troubles", troubles);
    return document;
}
