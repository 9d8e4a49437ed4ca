/* json: {"unit":"instructions","instructions":TOTAL,"turns":[{"turn","slot",
 * "instructions","lines":[{"function","file","line","executions",
 * "instructions"}]}]}, lines dearest first. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

static json_t *line_json(const struct place *place,
                         const struct place_cost *cost)
{
    return json_pack("{s:s,s:s,s:I,s:I,s:I}", "function", place->function,
                     "file", place->file, "line", (json_int_t)place->line,
                     "executions", (json_int_t)cost->executions,
                     "instructions", (json_int_t)cost->instructions);
}

static json_t *turn_json(const struct profile *profile,
                         const struct profile_turn *turn)
{
    auto_free struct place_cost *costs = NULL;
    size_t count = profile_costs(profile, turn, &costs);
    json_t *lines = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            lines, line_json(&profile->place[costs[i].place], &costs[i]));
    return json_pack("{s:I,s:I,s:I,s:o}", "turn", (json_int_t)turn->turn,
                     "slot", (json_int_t)turn->slot, "instructions",
                     (json_int_t)profile_turn_total(profile, turn), "lines",
                     lines);
}

int format_json(const struct profile *profile, struct buf *out,
                struct err *err)
{
    json_t *turns = json_array();

    for (size_t t = 0; t < profile->turn_count; t++)
        json_array_append_new(turns, turn_json(profile, &profile->turn[t]));
    json_t *root = json_pack("{s:s,s:I,s:o}", "unit", "instructions",
                             "instructions", (json_int_t)profile_total(profile),
                             "turns", turns);
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (!text)
        return err_set(err, ERR_INPUT,
                       "profile: a name in the block table is not UTF-8");
    buf_add_str(out, text);
    buf_add_char(out, '\n');
    free(text);
    return 0;
}
