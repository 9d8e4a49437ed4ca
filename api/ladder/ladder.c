#include "api/ladder/ladder.h"

#include "api/ladder/glicko2.h"
#include "api/ladder/matchmake.h"
#include "db/jobs.h"
#include "db/matches.h"
#include "db/ratings.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

/* 0 <= u < 1 from the system's generator. */
static double chance(void)
{
    uint64_t bits;

    randombytes_buf(&bits, sizeof bits);
    return (double)(bits >> 11) / 9007199254740992.0;
}

/* ---- queueing -------------------------------------------------------------
 */

struct field {
    struct entrant *entrant;
    size_t count;
};

static int field_read(struct db *db, const char *game, struct field *field,
                      struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_ENTRANT_LIST, err, SQL_TEXT(game));
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1; row = stmt_step(st, err)) {
        field->entrant = mem_realloc(
            field->entrant, (field->count + 1) * sizeof *field->entrant);
        field->entrant[field->count++] = (struct entrant){
            .bot_id = stmt_i64(st, 0),
            .rating = stmt_f64(st, 1),
            .deviation = stmt_f64(st, 2),
            .games = stmt_i64(st, 3),
            .pending = stmt_i64(st, 4),
        };
    }
    return row;
}

/* met[i]: meetings of the seeker with entrant i; first[i]: of these, those that
 * the seeker sat before it. */
static int field_meetings(struct db *db, const struct field *field,
                          size_t seeker, int64_t *met, int64_t *first,
                          struct err *err)
{
    struct meeting_list list = {0};

    if (meeting_list(db, field->entrant[seeker].bot_id, &list, err) < 0)
        return -1;
    for (size_t i = 0; i < field->count; i++) {
        met[i] = 0;
        first[i] = 0;
        for (size_t j = 0; j < list.count; j++) {
            if (list.row[j].opponent_id != field->entrant[i].bot_id)
                continue;
            met[i] = list.row[j].count;
            first[i] = list.row[j].as_first;
        }
    }
    meeting_list_release(&list);
    return 0;
}

static int ladder_queue(struct db *db, const struct ladder_spec *spec,
                        const int64_t *bot_id, struct err *err)
{
    uint8_t random[HASH_BYTES];
    char seed[HASH_HEX_SIZE];
    int64_t match_id;

    randombytes_buf(random, sizeof random);
    hash_hex(random, seed);
    struct match_row_spec match = {
        .game = spec->game,
        .bot_id = bot_id,
        .slots = spec->slots,
        .seed = seed,
        .rated = true,
        .priority = JOB_PRIORITY_LADDER,
        .now_ns = spec->now_ns,
    };
    return match_row_add(db, &match, &match_id, err);
}

/* Draws the opponents of one match and queues it. 1; 0: no opponent. */
static int ladder_pair(struct db *db, const struct ladder_spec *spec,
                       struct field *field, size_t seeker, struct err *err)
{
    auto_free int64_t *met = mem_calloc(field->count, sizeof *met);
    auto_free int64_t *first = mem_calloc(field->count, sizeof *first);
    auto_free char *taken = mem_calloc(field->count, 1);
    size_t seat[MATCH_ROW_MAX_SLOTS] = {seeker};
    int64_t bot_id[MATCH_ROW_MAX_SLOTS];

    assert(seeker < field->count);
    if (field_meetings(db, field, seeker, met, first, err) < 0)
        return -1;
    for (unsigned i = 1; i < spec->slots; i++) {
        double u[2] = {chance(), chance()};
        int drawn = matchmake_opponent(field->entrant, field->count, seeker,
                                       met, taken, u);
        if (drawn < 0)
            return 0;
        taken[drawn] = 1;
        seat[i] = (size_t)drawn;
    }
    /* The seeker's seat balances against its first opponent; the rest sit as
     * they were drawn. */
    if (!matchmake_seeker_first(met[seat[1]], first[seat[1]], chance())) {
        seat[0] = seat[1];
        seat[1] = seeker;
    }
    for (unsigned i = 0; i < spec->slots; i++) {
        bot_id[i] = field->entrant[seat[i]].bot_id;
        field->entrant[seat[i]].pending++;
    }
    return ladder_queue(db, spec, bot_id, err) < 0 ? -1 : 1;
}

int ladder_fill(struct db *db, const struct ladder_spec *spec, unsigned *queued,
                struct err *err)
{
    struct field field = {0};
    int result = field_read(db, spec->game, &field, err);

    assert(spec->slots >= 2 && spec->slots <= MATCH_ROW_MAX_SLOTS);
    *queued = 0;
    while (result >= 0 && *queued < spec->most) {
        int seeker = matchmake_seeker(field.entrant, field.count, spec->slots,
                                      spec->most_pending);
        if (seeker < 0)
            break;
        result = ladder_pair(db, spec, &field, (size_t)seeker, err);
        if (result != 1)
            break;
        ++*queued;
    }
    free(field.entrant);
    return result < 0 ? -1 : 0;
}

/* ---- rating ---------------------------------------------------------------
 */

static struct glicko2 rating_glicko2(const struct rating *rating)
{
    return (struct glicko2){rating->rating, rating->deviation,
                            rating->volatility};
}

static void rating_set_glicko2(struct rating *rating, struct glicko2 value)
{
    rating->rating = value.rating;
    rating->deviation = value.deviation;
    rating->volatility = value.volatility;
}

/* The stored rating, or that of a newcomer. */
static int rating_get(struct db *db, int64_t bot_id, struct rating *rating,
                      struct err *err)
{
    int found = rating_find(db, bot_id, rating, err);

    if (found == 0)
        *rating = (struct rating){
            .bot_id = bot_id,
            .rating = GLICKO2_RATING,
            .deviation = GLICKO2_DEVIATION,
            .volatility = GLICKO2_VOLATILITY,
        };
    return found < 0 ? -1 : 0;
}

int ladder_enter(struct db *db, int64_t bot_id, struct err *err)
{
    struct rating rating;
    struct rating previous;
    int found = rating_find(db, bot_id, &rating, err);

    if (found != 0)
        return found < 0 ? -1 : 0;
    if (rating_get(db, bot_id, &rating, err) < 0)
        return -1;
    found = rating_find_previous(db, bot_id, &previous, err);
    if (found < 0)
        return -1;
    if (found == 1)
        rating_set_glicko2(&rating, glicko2_inherit(rating_glicko2(&previous)));
    return rating_put(db, &rating, err);
}

static double pair_score(unsigned rank, unsigned other)
{
    if (rank == other)
        return 0.5;
    return rank < other ? 1.0 : 0.0;
}

/* The slot's rating after the match, from all ratings before it. */
static struct rating rating_after(const struct match_row *match,
                                  const struct rating *before, unsigned slot)
{
    struct glicko2_game game[MATCH_ROW_MAX_SLOTS];
    struct rating after = before[slot];
    unsigned rank = match->result[slot].rank;
    unsigned sharing = 0;
    size_t games = 0;

    for (unsigned i = 0; i < match->slots; i++) {
        if (i == slot)
            continue;
        sharing += match->result[i].rank == rank;
        game[games++] = (struct glicko2_game){
            .opponent = rating_glicko2(&before[i]),
            .score = pair_score(rank, match->result[i].rank),
        };
    }
    rating_set_glicko2(&after,
                       glicko2_update(rating_glicko2(&after), game, games));
    after.games++;
    if (rank != 1)
        after.losses++;
    else if (sharing)
        after.ties++;
    else
        after.wins++;
    return after;
}

static int match_rate(struct db *db, const struct match_row *match,
                      struct err *err)
{
    struct rating before[MATCH_ROW_MAX_SLOTS];

    for (unsigned i = 0; i < match->slots; i++)
        if (rating_get(db, match->result[i].bot_id, &before[i], err) < 0)
            return -1;
    for (unsigned i = 0; i < match->slots; i++) {
        struct rating after = rating_after(match, before, i);
        if (rating_put(db, &after, err) < 0 ||
            rating_note(db, match->id, i, &after, err) < 0)
            return -1;
    }
    return 0;
}

int ladder_rate(struct db *db, int64_t match_id, struct err *err)
{
    struct match_row match = {0};
    int found = match_row_find(db, match_id, &match, err);

    if (found < 0)
        return -1;
    int result = 0;
    if (found == 1 && match.rated && match.status == MATCH_FINISHED &&
        match.slots >= 2)
        result = match_rate(db, &match, err);
    match_row_release(&match);
    if (result < 0)
        return err_wrap(err, "rating match %lld", (long long)match_id);
    return 0;
}
