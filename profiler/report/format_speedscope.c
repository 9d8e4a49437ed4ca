/* speedscope: one "sampled" profile a turn, a sample a line: its function, then
 * the line in it; behind them one "evented" profile of each turn in which the
 * program named blocks of its own. Schema: the file-format-schema.json of the
 * npm package. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <jansson.h>

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

/* ---- the program's own blocks ----------------------------------------------
 */

struct named_frames {
    json_t *number; /* name -> frame */
    size_t next;
    struct buf *out;
};

static void add_named_frame(void *user, const struct decode_item *item)
{
    struct named_frames *frames = user;
    auto_free char *name = decode_clean(item->text);

    if (item->kind != RECORD_BLOCK || json_object_get(frames->number, name))
        return;
    json_object_set_new(frames->number, name,
                        json_integer((json_int_t)frames->next++));
    buf_add_str(frames->out, ",\n{\"name\":");
    report_add_json(frames->out, name);
    buf_add_char(frames->out, '}');
}

struct open_block {
    uint32_t id;
    json_int_t frame;
    uint64_t end;
};

struct named_events {
    json_t *number;
    struct buf *out;
    const char *comma;
    struct open_block *open;
    size_t open_count, open_capacity;
};

static void add_event(struct named_events *events, char type, json_int_t frame,
                      uint64_t at)
{
    buf_add_format(events->out,
                   "%s{\"type\":\"%c\",\"frame\":%" JSON_INTEGER_FORMAT
                   ",\"at\":%" PRIu64 "}",
                   events->comma, type, frame, at);
    events->comma = ",";
}

/* Ends the open blocks inside block `id`; 0: all. */
static void end_until(struct named_events *events, uint32_t id)
{
    while (events->open_count &&
           events->open[events->open_count - 1].id != id) {
        const struct open_block *last = &events->open[--events->open_count];
        add_event(events, 'C', last->frame, last->end);
    }
}

static void add_named_event(void *user, const struct decode_item *item)
{
    struct named_events *events = user;
    auto_free char *name = decode_clean(item->text);

    if (item->kind != RECORD_BLOCK)
        return;
    end_until(events, item->parent);
    if (events->open_count == events->open_capacity) {
        events->open_capacity = 2 * events->open_capacity + 16;
        events->open = mem_realloc(events->open, events->open_capacity *
                                                     sizeof *events->open);
    }
    struct open_block block = {
        .id = item->id,
        .frame = json_integer_value(json_object_get(events->number, name)),
        .end = item->end,
    };
    events->open[events->open_count++] = block;
    add_event(events, 'O', block.frame, item->start);
}

static void add_named_turn(const struct profile *profile,
                           const struct profile_turn *turn, json_t *number,
                           struct buf *out)
{
    struct named_events events = {.number = number, .out = out, .comma = ""};

    buf_add_format(out,
                   ",\n{\"type\":\"evented\",\"name\":\"turn %u, slot %u: "
                   "blocks\",\"unit\":\"none\",\"startValue\":0,"
                   "\"endValue\":%" PRIu64 ",\"events\":[",
                   turn->turn, turn->slot, profile_turn_total(profile, turn));
    named_read(turn, add_named_event, &events);
    end_until(&events, 0);
    buf_add_str(out, "]}");
    free(events.open);
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
    struct named_frames named = {
        .number = json_object(),
        .next = profile->function_count + profile->place_count,
        .out = out,
    };

    (void)err;
    buf_add_format(
        out,
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
        "\n\"exporter\":\"bout\",\"name\":\"instructions\","
        "\"activeProfileIndex\":%zu,\n\"shared\":{\"frames\":[",
        dearest_turn(profile));
    add_frames(profile, out);
    for (size_t t = 0; t < profile->turn_count; t++)
        named_read(&profile->turn[t], add_named_frame, &named);
    buf_add_str(out, "]},\n\"profiles\":[");
    for (size_t t = 0; t < profile->turn_count; t++) {
        buf_add_str(out, t ? ",\n" : "\n");
        add_turn(profile, &profile->turn[t], out);
    }
    for (size_t t = 0; t < profile->turn_count; t++)
        if (profile->turn[t].blocks.size)
            add_named_turn(profile, &profile->turn[t], named.number, out);
    json_decref(named.number);
    buf_add_str(out, "]}\n");
    return 0;
}
