/* speedscope: one "sampled" profile a turn, a sample a line: its function, then
 * the line in it. Schema: the file-format-schema.json of the npm package. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>

/* Frames: a function's number, then one for each place. */
static void add_frames(const struct profile *profile, struct buf *out)
{
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct profile_function *function = &profile->function[i];
        buf_add_str(out, i ? ",\n{\"name\":" : "\n{\"name\":");
        report_add_json(out, function->name);
        if (function->file[0]) {
            buf_add_str(out, ",\"file\":");
            report_add_json(out, function->file);
            buf_add_format(out, ",\"line\":%u", function->line);
        }
        buf_add_char(out, '}');
    }
    for (size_t i = 0; i < profile->place_count; i++) {
        const struct place *place = &profile->place[i];
        auto_free char *name = mem_format("%s:%u", place->file, place->line);
        buf_add_str(out, ",\n{\"name\":");
        report_add_json(out, name);
        buf_add_str(out, ",\"file\":");
        report_add_json(out, place->file);
        buf_add_format(out, ",\"line\":%u}", place->line);
    }
}

static void add_turn(const struct profile *profile,
                     const struct profile_turn *turn, struct buf *out)
{
    auto_free struct place_cost *costs = NULL;
    size_t count = profile_costs(profile, turn, &costs);
    const char *comma = "";

    buf_add_format(out,
                   "{\"type\":\"sampled\",\"name\":\"turn %u, slot %u\","
                   "\"unit\":\"none\",\"startValue\":0,\"endValue\":%" PRIu64
                   ",\"samples\":[",
                   turn->turn, turn->slot, profile_turn_total(profile, turn));
    for (size_t i = 0; i < count; i++) {
        const struct place *place = &profile->place[costs[i].place];
        buf_add_str(out, comma);
        buf_add_char(out, '[');
        report_add_number(out, place->owner);
        if (place->file[0]) {
            buf_add_char(out, ',');
            report_add_number(out, profile->function_count + costs[i].place);
        }
        buf_add_char(out, ']');
        comma = ",";
    }
    buf_add_str(out, "],\"weights\":[");
    comma = "";
    for (size_t i = 0; i < count; i++) {
        buf_add_str(out, comma);
        report_add_number(out, costs[i].instructions);
        comma = ",";
    }
    buf_add_str(out, "]}");
}

/* The viewer opens at the dearest turn. */
static size_t dearest_turn(const struct profile *profile)
{
    uint64_t most = 0;
    size_t dearest = 0;

    for (size_t t = 0; t < profile->turn_count; t++) {
        uint64_t total = profile_turn_total(profile, &profile->turn[t]);
        if (total <= most)
            continue;
        most = total;
        dearest = t;
    }
    return dearest;
}

int format_speedscope(const struct profile *profile, struct buf *out,
                      struct err *err)
{
    (void)err;
    buf_add_format(
        out,
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
        "\n\"exporter\":\"bout\",\"name\":\"instructions\","
        "\"activeProfileIndex\":%zu,\n\"shared\":{\"frames\":[",
        dearest_turn(profile));
    add_frames(profile, out);
    buf_add_str(out, "]},\n\"profiles\":[");
    for (size_t t = 0; t < profile->turn_count; t++) {
        buf_add_str(out, t ? ",\n" : "\n");
        add_turn(profile, &profile->turn[t], out);
    }
    buf_add_str(out, "]}\n");
    return 0;
}
