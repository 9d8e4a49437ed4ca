/* A submission becomes a build, and the build shows in smoke matches (against
 * itself, and against a house bot) that it can play: any verdict but `ok`
 * rejects it. The result is {"ready": bool, "diagnostics": [...]} and the
 * build. Seeds are fixed, so the same source always fares the same. */
#include "profiler/profile.h"
#include "runner/base/cleanup.h"
#include "runner/build/unpack.h"
#include "runner/work/play_internal.h"

#include <string.h>

static int smoke_reject(struct parcel *result, const char *against,
                        const struct match_result *end)
{
    auto_buf struct buf message = {0};
    json_t *list = json_object_get(result->head, "diagnostics");

    buf_add_format(&message, "smoke match against %s: %s at turn %u: %s",
                   against, verdict_text(end->verdict), end->last_turn,
                   verdict_sentence(end->verdict));
    if (end->detail[0])
        buf_add_format(&message, " (%s)", end->detail);
    if (end->private_detail[0])
        buf_add_format(&message, " In %s.", end->private_detail);
    if (end->ending[0])
        buf_add_format(&message, " Its %s", end->ending);
    json_t *text = json_string(message.data);
    if (!text)
        text = json_string(verdict_sentence(end->verdict));
    json_array_append_new(list,
                          json_pack("{s:n, s:n, s:s, s:o, s:s, s:I}", "file",
                                    "line", "severity", "error", "message",
                                    text, "verdict", verdict_text(end->verdict),
                                    "turn", (json_int_t)end->last_turn));
    return 0;
}

/* Its own slots are well in order, but something is worth telling. */
static void smoke_warn(struct parcel *result, const char *against,
                       const struct match *match, unsigned slot)
{
    auto_buf struct buf message = {0};
    bool moved = false;

    for (size_t i = 0; i < match->turn_count; i++) {
        const struct match_turn *row = &match->turn[i];
        moved = moved || (row->slot == slot && row->turn > 0 &&
                          row->status == TURN_STATUS_OK);
    }
    if (moved && !match->result[slot].detail[0])
        return;
    buf_add_format(&message, "smoke match against %s: ", against);
    if (!moved)
        buf_add_str(&message, "it never printed a move in time; ");
    buf_add_str(&message, match->result[slot].detail);
    json_t *text = json_string(message.data);
    json_array_append_new(json_object_get(result->head, "diagnostics"),
                          json_pack("{s:n, s:n, s:s, s:o}", "file", "line",
                                    "severity", "warning", "message",
                                    text ? text : json_string(against)));
}

/* One match with the new build in slot 0 (and in all, where `other` is it).
 * 1: it is fine; 0: rejected, and said so. */
static int smoke_play(struct worker *worker, struct gamebook_entry *entry,
                      struct build *build, struct build *other,
                      struct parcel *result, struct err *err)
{
    struct match match = {0};
    struct match_spec spec = {
        .game_name = entry->name,
        .game = entry->referee,
        .slots = entry->about.min_slots,
        .seed = build == other ? "1" : "2",
    };
    const char *against = build == other ? "itself" : "a house bot";
    int fine = 1;

    limits_init(&spec.limits, entry->about.turn_soft, entry->about.turn_bank,
                entry->about.turns);
    for (unsigned i = 0; i < spec.slots; i++)
        spec.bot[i] = i == 0 ? build : other;
    if (match_play(worker->zygote, &spec, &match, err) < 0)
        return err_wrap(err, "smoke match against %s", against);
    for (unsigned i = 0; fine && i < match.slots; i++)
        if (spec.bot[i] == build && match.result[i].verdict != VERDICT_OK)
            fine = smoke_reject(result, against, &match.result[i]);
    if (fine)
        smoke_warn(result, against, &match, 0);
    match_release(&match);
    return fine;
}

static int smoke_all(struct worker *worker, struct gamebook_entry *entry,
                     struct build *build, struct parcel *result,
                     struct err *err)
{
    int fine = smoke_play(worker, entry, build, build, result, err);

    if (fine != 1 || entry->sample_count == 0)
        return fine;
    struct build *house = gamebook_sample(entry, 0, err);
    return house ? smoke_play(worker, entry, build, house, result, err) : -1;
}

static void result_set(struct parcel *result, bool ready)
{
    json_object_set_new(result->head, "ready", json_boolean(ready));
}

/* What the upload's own files do wrong is its fault, not ours. */
static int reject_files(struct parcel *result, const struct err *why)
{
    json_object_set_new(result->head, "diagnostics",
                        json_pack("[{s:n, s:n, s:s, s:s}]", "file", "line",
                                  "severity", "error", "message", why->msg));
    result_set(result, false);
    return 0;
}

static int build_and_check(struct worker *worker, const struct work *work,
                           const struct build_source *source,
                           struct parcel *result, struct err *err)
{
    struct gamebook_entry *entry;
    profile_begin_block("compile");
    auto_build struct build *build = build_make(source, NULL, err);
    profile_end_block();

    if (!build)
        return -1;
    json_object_set(result->head, "diagnostics", build->diagnostics);
    result_set(result, false);
    if (!build->ready)
        return 0;
    if (lease_extend(worker->lease, work, "checking", err) < 0 ||
        !play_get_game(worker, work, &entry, err))
        return -1;
    int fine = smoke_all(worker, entry, build, result, err);
    if (fine < 0)
        return -1;
    if (fine) {
        wire_put_build(result, build);
        result_set(result, true);
    }
    return 0;
}

int play_build(struct worker *worker, const struct work *work,
               struct parcel *result, struct err *err)
{
    struct build_source source = {0};
    int done = wire_get_files(&work->parcel, &source, err);

    int unpacked = done == 0 ? unpack_source(&source, err) : done;
    if (unpacked == 1)
        wire_put_source(result, &source);
    done = unpacked < 0 ? -1 : 0;
    if (done == 0)
        done = build_and_check(worker, work, &source, result, err);
    else if (err->kind == ERR_INPUT || err->kind == ERR_TOO_BIG)
        done = reject_files(result, err);
    build_source_release(&source);
    return done;
}
