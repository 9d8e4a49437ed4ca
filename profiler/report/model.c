/* The profile model: counters -> shares -> places.
 *
 * A block's charge is spread over the source lines of its instructions, so one
 * counter has several shares; a line belongs to several blocks, so one place
 * has several counters. Instructions add up; executions of a place are those of
 * its most executed block, which is what a reader means by "this line ran N
 * times". The system's charges are places without a file. */
#include "profiler/report/report.h"

#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <string.h>

#define SYSTEM_WORDS 3

static const char *const system_names[SYSTEM_WORDS] = {"[read]", "[write]",
                                                       "[page]"};

/* The function's number; a new one where it was not seen before. Instances of
 * a template and what several files define alike in a header are one. */
static uint32_t function_get(struct profile *profile, const char *name,
                             const char *file, uint32_t line)
{
    auto_free char *key = mem_format("%s\n%s\n%u", name, file, line);
    json_t *known = json_object_get(profile->function_index, key);

    if (known)
        return (uint32_t)json_integer_value(known);
    if (profile->function_count == profile->function_capacity) {
        profile->function_capacity = profile->function_capacity * 2 + 64;
        profile->function =
            mem_realloc(profile->function,
                        profile->function_capacity * sizeof *profile->function);
    }
    uint32_t number = (uint32_t)profile->function_count++;
    profile->function[number] = (struct profile_function){
        .name = mem_dup_str(name), .file = mem_dup_str(file), .line = line};
    json_object_set_new(profile->function_index, key, json_integer(number));
    return number;
}

/* The place's number; a new one where it was not seen before. */
static uint32_t place_get(struct profile *profile, uint32_t function,
                          const char *file, uint32_t line)
{
    auto_free char *key = mem_format("%u\n%s\n%u", function, file, line);
    json_t *known = json_object_get(profile->place_index, key);

    if (known)
        return (uint32_t)json_integer_value(known);
    if (profile->place_count == profile->place_capacity) {
        profile->place_capacity = profile->place_capacity * 2 + 64;
        profile->place = mem_realloc(profile->place, profile->place_capacity *
                                                         sizeof(struct place));
    }
    uint32_t number = (uint32_t)profile->place_count++;
    profile->place[number] = (struct place){
        .owner = function, .file = mem_dup_str(file), .line = line};
    json_object_set_new(profile->place_index, key, json_integer(number));
    return number;
}

static void share_add(struct profile *profile, struct share share)
{
    if (profile->share_count == profile->share_capacity) {
        profile->share_capacity = profile->share_capacity * 2 + 256;
        profile->share = mem_realloc(profile->share, profile->share_capacity *
                                                         sizeof(struct share));
    }
    profile->share[profile->share_count++] = share;
}

/* What the source calls a function; its symbol where the table does not say. */
static const char *shown_name(const json_t *function)
{
    const char *name = json_string_value(json_object_get(function, "name"));

    return name ? name : json_string_value(json_object_get(function, "symbol"));
}

/* One function of a table, as it is read. */
struct reading {
    const json_t *files;
    const json_t *function;
    struct words_function words;
    uint32_t number;
    bool is_bot;
};

static const char *file_name(const struct reading *reading, size_t file)
{
    const char *name = json_string_value(json_array_get(reading->files, file));

    return name ? name : "";
}

static void calls_add(struct profile *profile, const struct reading *reading,
                      const json_t *entry, uint32_t word)
{
    const json_t *call;
    size_t i;

    json_array_foreach(json_object_get(entry, "calls"), i, call) {
        size_t file = (size_t)json_integer_value(json_array_get(call, 0));
        const char *symbol = json_string_value(json_array_get(call, 2));
        const char *type = json_string_value(json_array_get(call, 3));

        calls_add_site(
            &profile->calls,
            &(struct call_site){
                .word = word,
                .place = place_get(
                    profile, reading->number, file_name(reading, file),
                    (uint32_t)json_integer_value(json_array_get(call, 1))),
                .symbol = symbol ? symbol : "",
                .type = type ? type : "",
                .from_bot = reading->is_bot,
            });
    }
}

static int entry_fault(const struct reading *reading, struct err *err)
{
    return err_set(err, ERR_INPUT, "block table: %s: a word that is not there",
                   shown_name(reading->function));
}

/* The place of the last of an entry's lines stands for the entry. */
static uint32_t lines_add(struct profile *profile,
                          const struct reading *reading, const json_t *lines,
                          uint32_t word, bool is_block)
{
    const json_t *line;
    uint32_t place = 0;
    size_t i;

    json_array_foreach(lines, i, line) {
        size_t file = (size_t)json_integer_value(json_array_get(line, 0));
        uint32_t number = (uint32_t)json_integer_value(json_array_get(line, 1));

        place = place_get(profile, reading->number, file_name(reading, file),
                          number);
        share_add(profile, (struct share){
                               .word = word,
                               .place = place,
                               .instructions = (uint64_t)json_integer_value(
                                   json_array_get(line, 2)),
                               .is_block = is_block,
                           });
    }
    return place;
}

/* One entry of "blocks" or "sites": its word and its lines. */
static int entry_add(struct profile *profile, const struct reading *reading,
                     const json_t *entry, bool is_block, struct err *err)
{
    const json_t *reference = json_object_get(entry, "reference");
    uint32_t word =
        words_find(&profile->words, &reading->words,
                   json_integer_value(json_object_get(entry, "word")));

    if (word == WORDS_NONE)
        return entry_fault(reading, err);
    uint32_t place = lines_add(profile, reading,
                               json_object_get(entry, "lines"), word, is_block);
    calls_add(profile, reading, entry, word);
    if (!reference)
        return 0;
    struct words_twin twin = {
        .word = word,
        .reference = words_find(&profile->words, &reading->words,
                                json_integer_value(reference)),
        .place = place,
    };
    if (twin.reference == WORDS_NONE)
        return entry_fault(reading, err);
    words_add_twin(&profile->words, twin);
    return 0;
}

static int function_add(struct profile *profile, struct reading *reading,
                        struct err *err)
{
    const json_t *function = reading->function;
    const json_t *blocks = json_object_get(function, "blocks");
    const json_t *entry;
    size_t i;

    reading->number = function_get(
        profile, shown_name(function),
        file_name(reading, (size_t)json_integer_value(
                               json_object_get(function, "file"))),
        (uint32_t)json_integer_value(json_object_get(function, "line")));
    json_array_foreach(blocks, i, entry) {
        if (entry_add(profile, reading, entry, true, err) < 0)
            return -1;
    }
    json_array_foreach(json_object_get(function, "sites"), i, entry) {
        if (entry_add(profile, reading, entry, false, err) < 0)
            return -1;
    }
    const json_t *first = json_array_get(blocks, 0);
    const char *type = json_string_value(json_object_get(function, "type"));
    if (first)
        calls_add_entry(
            &profile->calls,
            &(struct call_entry){
                .function = reading->number,
                .word = words_find(
                    &profile->words, &reading->words,
                    json_integer_value(json_object_get(first, "word"))),
                .symbol =
                    json_string_value(json_object_get(function, "symbol")),
                .type = type ? type : "",
                .in_bot = reading->is_bot,
            });
    return 0;
}

/* {symbol: function} of a block table. New reference. */
static json_t *table_index(const json_t *table)
{
    json_t *index = json_object();
    json_t *function;
    size_t i;

    json_array_foreach(json_object_get(table, "functions"), i, function) {
        const char *symbol =
            json_string_value(json_object_get(function, "symbol"));
        if (symbol)
            json_object_set(index, symbol, function);
    }
    return index;
}

static int layout_add(struct profile *profile, const json_t *bot_blocks,
                      const json_t *library_blocks, const json_t *layout,
                      struct err *err)
{
    json_t *bot = table_index(bot_blocks);
    json_t *library = table_index(library_blocks);
    const json_t *linked;
    size_t i;
    int result = 0;

    json_array_foreach(json_object_get(layout, "functions"), i, linked) {
        const char *symbol =
            json_string_value(json_object_get(linked, "symbol"));
        const char *origin =
            json_string_value(json_object_get(linked, "origin"));
        bool is_bot = origin && !strcmp(origin, "bot");
        const json_t *function =
            symbol ? json_object_get(is_bot ? bot : library, symbol) : NULL;
        if (!function) {
            result = err_set(err, ERR_INPUT, "layout: %s is in no block table",
                             symbol ? symbol : "a function");
            break;
        }
        struct reading reading = {
            .files =
                json_object_get(is_bot ? bot_blocks : library_blocks, "files"),
            .function = function,
            .is_bot = is_bot,
        };
        result = words_open(&profile->words, function, linked, &reading.words);
        result = result < 0 ? entry_fault(&reading, err)
                            : function_add(profile, &reading, err);
        if (result < 0)
            break;
    }
    json_decref(bot);
    json_decref(library);
    return result;
}

static void order_places(struct profile *profile);

struct profile *profile_new(const json_t *bot_blocks,
                            const json_t *library_blocks, const json_t *layout,
                            struct err *err)
{
    json_int_t counters =
        json_integer_value(json_object_get(layout, "counters"));
    struct profile *profile = mem_calloc(1, sizeof *profile);

    profile->place_index = json_object();
    profile->function_index = json_object();
    if (counters < 0 || counters > 100000000) {
        err_set(err, ERR_INPUT, "layout: %lld counters", (long long)counters);
        profile_free(profile);
        return NULL;
    }
    profile->words.read = (size_t)counters + SYSTEM_WORDS;
    for (uint32_t i = 0; i < SYSTEM_WORDS; i++)
        share_add(profile,
                  (struct share){
                      .word = (uint32_t)counters + i,
                      .place = place_get(
                          profile,
                          function_get(profile, system_names[i], "", 0), "", 0),
                      .instructions = 1,
                      .is_block = false,
                  });
    if (layout_add(profile, bot_blocks, library_blocks, layout, err) < 0) {
        profile_free(profile);
        return NULL;
    }
    calls_resolve(&profile->calls);
    order_places(profile);
    return profile;
}

void profile_free(struct profile *profile)
{
    if (!profile)
        return;
    for (size_t i = 0; i < profile->place_count; i++)
        free(profile->place[i].file);
    for (size_t i = 0; i < profile->function_count; i++) {
        free(profile->function[i].name);
        free(profile->function[i].file);
    }
    for (size_t i = 0; i < profile->turn_count; i++) {
        free(profile->turn[i].moved);
        buf_release(&profile->turn[i].blocks);
    }
    for (size_t i = 0; i < profile->source_count; i++)
        free(profile->source[i].path);
    calls_release(&profile->calls);
    words_release(&profile->words);
    free(profile->function);
    free(profile->place);
    free(profile->share);
    free(profile->order);
    free(profile->turn);
    free(profile->source);
    json_decref(profile->place_index);
    json_decref(profile->function_index);
    free(profile);
}

size_t profile_words(const struct profile *profile)
{
    return profile->words.read;
}

uint64_t profile_add_turn(struct profile *profile, uint32_t turn, unsigned slot,
                          const uint64_t *before, const uint64_t *now)
{
    const struct words *words = &profile->words;
    uint64_t *moved =
        mem_calloc(words->read + words->derived_count, sizeof *moved);

    for (size_t i = 0; i < words->read; i++)
        moved[i] = now[i] - (before ? before[i] : 0);
    words_derive(words, moved);
    profile->turn = mem_realloc(profile->turn, (profile->turn_count + 1) *
                                                   sizeof *profile->turn);
    profile->turn[profile->turn_count++] =
        (struct profile_turn){.turn = turn, .slot = slot, .moved = moved};
    return profile_turn_total(profile, &profile->turn[profile->turn_count - 1]);
}

void profile_add_blocks(struct profile *profile, const void *stream,
                        size_t size)
{
    if (size)
        buf_add(&profile->turn[profile->turn_count - 1].blocks, stream, size);
}

int profile_compare(const struct profile *profile, struct err *err)
{
    for (size_t i = 0; i < profile->turn_count; i++) {
        const uint64_t *moved = profile->turn[i].moved;
        const struct words_twin *twin = words_compare(&profile->words, moved);

        if (!twin)
            continue;
        const struct place *place = &profile->place[twin->place];
        return err_set(err, ERR_SYSTEM,
                       "turn %u: %s, %s:%u: %llu executions by the chords, "
                       "%llu by the reference",
                       profile->turn[i].turn,
                       profile->function[place->owner].name, place->file,
                       place->line, (unsigned long long)moved[twin->word],
                       (unsigned long long)moved[twin->reference]);
    }
    return 0;
}

void profile_set_turn_soft(struct profile *profile, uint64_t instructions)
{
    profile->turn_soft = instructions;
}

void profile_set_source(struct profile *profile, const char *path,
                        const char *bytes, size_t size)
{
    profile->source = mem_realloc(profile->source, (profile->source_count + 1) *
                                                       sizeof *profile->source);
    profile->source[profile->source_count++] = (struct source_text){
        .path = mem_dup_str(path), .bytes = bytes, .size = size};
}

uint64_t profile_turn_total(const struct profile *profile,
                            const struct profile_turn *turn)
{
    uint64_t total = 0;

    for (size_t i = 0; i < profile->share_count; i++)
        total += turn->moved[profile->share[i].word] *
                 profile->share[i].instructions;
    return total;
}

uint64_t profile_total(const struct profile *profile)
{
    uint64_t total = 0;

    for (size_t i = 0; i < profile->turn_count; i++)
        total += profile_turn_total(profile, &profile->turn[i]);
    return total;
}

static void costs_add(const struct profile *profile,
                      const struct profile_turn *turn, struct place_cost *costs)
{
    auto_free uint64_t *executions =
        mem_calloc(profile->place_count, sizeof *executions);

    for (size_t i = 0; i < profile->share_count; i++) {
        const struct share *share = &profile->share[i];
        uint64_t moved = turn->moved[share->word];
        costs[share->place].instructions += moved * share->instructions;
        if (share->is_block && moved > executions[share->place])
            executions[share->place] = moved;
    }
    for (size_t i = 0; i < profile->place_count; i++)
        costs[i].executions += executions[i];
}

static int place_compare(const struct place *a, const struct place *b)
{
    int order = strcmp(a->file, b->file);

    if (!order)
        order = (a->line > b->line) - (a->line < b->line);
    return order ? order : (a->owner > b->owner) - (a->owner < b->owner);
}

static int order_compare(const void *left, const void *right, void *places)
{
    const struct place *place = places;

    return place_compare(&place[*(const uint32_t *)left],
                         &place[*(const uint32_t *)right]);
}

/* The places by file, line and function: the order of equal costs. */
static void order_places(struct profile *profile)
{
    profile->order = mem_calloc(profile->place_count, sizeof *profile->order);
    for (size_t i = 0; i < profile->place_count; i++)
        profile->order[i] = (uint32_t)i;
    qsort_r(profile->order, profile->place_count, sizeof *profile->order,
            order_compare, profile->place);
}

#define RADIX 256

static unsigned digit(const struct place_cost *cost, unsigned at)
{
    return RADIX - 1 - (unsigned)(cost->instructions >> 8 * at & (RADIX - 1));
}

/* Dearest first; equals stay as they are. By digits of the instructions, lowest
 * first, since a large profile sorts a million: costs are small numbers, so
 * most digits are the same everywhere and are passed over. Returns which of the
 * two arrays has them. */
static struct place_cost *sort_costs(struct place_cost *from,
                                     struct place_cost *to, size_t count)
{
    for (unsigned at = 0; at < sizeof from->instructions; at++) {
        size_t start[RADIX + 1] = {0};

        for (size_t i = 0; i < count; i++)
            start[digit(&from[i], at) + 1]++;
        if (count && start[digit(&from[0], at) + 1] == count)
            continue;
        for (unsigned d = 0; d < RADIX; d++)
            start[d + 1] += start[d];
        for (size_t i = 0; i < count; i++)
            to[start[digit(&from[i], at)]++] = from[i];
        struct place_cost *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

size_t profile_costs(const struct profile *profile,
                     const struct profile_turn *turn, struct place_cost **out)
{
    struct place_cost *costs = mem_calloc(profile->place_count, sizeof *costs);
    struct place_cost *kept = mem_alloc(profile->place_count * sizeof *kept);
    size_t count = 0;

    if (turn)
        costs_add(profile, turn, costs);
    for (size_t i = 0; !turn && i < profile->turn_count; i++)
        costs_add(profile, &profile->turn[i], costs);
    for (size_t i = 0; i < profile->place_count; i++) {
        uint32_t place = profile->order[i];
        costs[place].place = place;
        if (costs[place].instructions || costs[place].executions)
            kept[count++] = costs[place];
    }
    *out = sort_costs(kept, costs, count);
    free(*out == kept ? costs : kept);
    return count;
}
