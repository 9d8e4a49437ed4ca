/* pprof: gzip of a protobuf (pprof.proto), all turns in one file: each sample
 * has labels `turn` and `slot`, so `-tagfocus turn=7` shows one turn.
 *
 * A message is the concatenation of its parts (protobuf encoding, "merging"):
 * the tables and each turn's samples are packed and compressed one after the
 * other, and memory stays small whatever the number of turns. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <pprof.pb-c.h>
#define ZLIB_CONST
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* deflateInit2: with gzip's head and foot */

struct stream {
    z_stream zip;
    struct buf *out;
    struct buf part;
};

static int stream_deflate(struct stream *stream, const void *bytes, size_t size,
                          int flush)
{
    unsigned char chunk[16384];

    stream->zip.next_in = (const Bytef *)bytes;
    stream->zip.avail_in = (uInt)size;
    do {
        stream->zip.next_out = chunk;
        stream->zip.avail_out = sizeof chunk;
        if (deflate(&stream->zip, flush) == Z_STREAM_ERROR)
            return -1;
        buf_add(stream->out, chunk, sizeof chunk - stream->zip.avail_out);
    } while (!stream->zip.avail_out);
    return 0;
}

static int stream_add(struct stream *stream, const Pprof__Profile *part)
{
    size_t size = pprof__profile__get_packed_size(part);

    buf_clear(&stream->part);
    buf_reserve(&stream->part, size + 1);
    pprof__profile__pack(part, (uint8_t *)stream->part.data);
    return stream_deflate(stream, stream->part.data, size, Z_NO_FLUSH);
}

/* ---- tables -------------------------------------------------------------- */

/* Strings: "", instructions, count, turn, slot, bot; then 2 a function. */
enum { S_NONE, S_INSTRUCTIONS, S_COUNT, S_TURN, S_SLOT, S_BOT, S_FUNCTIONS };

static char *fixed_strings[S_FUNCTIONS] = {
    (char[]){""},     (char[]){"instructions"}, (char[]){"count"},
    (char[]){"turn"}, (char[]){"slot"},         (char[]){"bot"}};

static int add_head(struct stream *stream)
{
    Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;
    Pprof__Mapping mapping = PPROF__MAPPING__INIT;
    Pprof__Profile head = PPROF__PROFILE__INIT;

    type.type = S_INSTRUCTIONS;
    type.unit = S_COUNT;
    mapping.id = 1;
    mapping.filename = S_BOT;
    mapping.has_functions = mapping.has_filenames = true;
    mapping.has_line_numbers = true;
    head.n_sample_type = 1;
    head.sample_type = (Pprof__ValueType *[]){&type};
    head.n_mapping = 1;
    head.mapping = (Pprof__Mapping *[]){&mapping};
    head.n_string_table = S_FUNCTIONS;
    head.string_table = fixed_strings;
    head.period_type = &type;
    head.period = 1;
    return stream_add(stream, &head);
}

/* Function f has id f + 1 and the strings S_FUNCTIONS + 2 f, name, and + 1,
 * file. */
static int add_functions(struct stream *stream, const struct profile *profile)
{
    for (size_t f = 0; f < profile->function_count; f++) {
        const struct profile_function *from = &profile->function[f];
        Pprof__Function function = PPROF__FUNCTION__INIT;
        Pprof__Profile part = PPROF__PROFILE__INIT;

        function.id = f + 1;
        function.name = (int64_t)(S_FUNCTIONS + 2 * f);
        function.system_name = function.name;
        function.filename = function.name + 1;
        function.start_line = from->line;
        part.n_function = 1;
        part.function = (Pprof__Function *[]){&function};
        part.n_string_table = 2;
        part.string_table = (char *[]){from->name, from->file};
        if (stream_add(stream, &part) < 0)
            return -1;
    }
    return 0;
}

/* Place p has id p + 1. What was inlined from another file is shown in its
 * function: pprof keeps one file a function. */
static int add_places(struct stream *stream, const struct profile *profile)
{
    for (size_t p = 0; p < profile->place_count; p++) {
        Pprof__Line line = PPROF__LINE__INIT;
        Pprof__Location location = PPROF__LOCATION__INIT;
        Pprof__Profile part = PPROF__PROFILE__INIT;

        line.function_id = profile->place[p].owner + 1;
        line.line = profile->place[p].line;
        location.id = p + 1;
        location.mapping_id = 1;
        location.n_line = 1;
        location.line = (Pprof__Line *[]){&line};
        part.n_location = 1;
        part.location = (Pprof__Location *[]){&location};
        if (stream_add(stream, &part) < 0)
            return -1;
    }
    return 0;
}

/* ---- samples ------------------------------------------------------------- */

static int add_turn(struct stream *stream, const struct profile *profile,
                    const struct profile_turn *turn)
{
    auto_free struct place_cost *costs = NULL;
    size_t count = profile_costs(profile, turn, &costs);
    Pprof__Label label[2] = {PPROF__LABEL__INIT, PPROF__LABEL__INIT};
    Pprof__Label *labels[2] = {&label[0], &label[1]};
    auto_free Pprof__Sample *samples = mem_calloc(count + 1, sizeof *samples);
    auto_free Pprof__Sample **pointers =
        mem_calloc(count + 1, sizeof *pointers);
    auto_free uint64_t *places = mem_calloc(count + 1, sizeof *places);
    auto_free int64_t *values = mem_calloc(count + 1, sizeof *values);
    Pprof__Profile part = PPROF__PROFILE__INIT;

    label[0].key = S_TURN;
    label[0].num = turn->turn;
    label[1].key = S_SLOT;
    label[1].num = turn->slot;
    for (size_t i = 0; i < count; i++) {
        pprof__sample__init(&samples[i]);
        places[i] = costs[i].place + 1;
        values[i] = (int64_t)costs[i].instructions;
        samples[i].n_location_id = 1;
        samples[i].location_id = &places[i];
        samples[i].n_value = 1;
        samples[i].value = &values[i];
        samples[i].n_label = 2;
        samples[i].label = labels;
        pointers[i] = &samples[i];
    }
    part.n_sample = count;
    part.sample = pointers;
    return stream_add(stream, &part);
}

static int add_all(struct stream *stream, const struct profile *profile)
{
    if (add_head(stream) < 0 || add_functions(stream, profile) < 0 ||
        add_places(stream, profile) < 0)
        return -1;
    for (size_t t = 0; t < profile->turn_count; t++)
        if (add_turn(stream, profile, &profile->turn[t]) < 0)
            return -1;
    return stream_deflate(stream, NULL, 0, Z_FINISH);
}

int format_pprof(const struct profile *profile, struct buf *out,
                 struct err *err)
{
    struct stream stream = {.out = out};

    if (deflateInit2(&stream.zip, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, 9,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return err_set(err, ERR_SYSTEM, "pprof: zlib does not start");
    int result = add_all(&stream, profile);
    deflateEnd(&stream.zip);
    buf_release(&stream.part);
    if (result < 0)
        return err_set(err, ERR_SYSTEM, "pprof: zlib failed");
    return 0;
}
