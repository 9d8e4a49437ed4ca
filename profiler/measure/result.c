/* result: values by measure, and the caller's notes; the two plain exports. */
#include "profiler/measure/measure.h"

#include "profiler/measure/provider_internal.h"
#include "runner/base/cleanup.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

struct measure_result {
    json_t *value[MEASURE_COUNT]; /* NULL: not wanted */
    json_t *notes;                /* an object */
};

struct measure_result *measure_result_new(const struct measure_spec *spec)
{
    struct measure_result *result = mem_calloc(1, sizeof *result);

    result->notes = json_object();
    for (size_t i = 0; i < spec->want_count; i++)
        result->value[spec->want[i].measure] = json_null();
    return result;
}

/* A file goes away with its path, and the folder that was made for it. */
static void value_release(enum measure measure, json_t *value)
{
    const char *path = json_string_value(value);

    if (path && measure_facts(measure)->type == MEASURE_TYPE_FILE) {
        auto_free char *folder = mem_dup_str(path);
        char *slash = strrchr(folder, '/');
        unlink(path);
        if (slash && slash != folder) {
            *slash = '\0';
            rmdir(folder);
        }
    }
    json_decref(value);
}

void measure_result_free(struct measure_result *result)
{
    if (!result)
        return;
    for (int m = 0; m < MEASURE_COUNT; m++)
        value_release((enum measure)m, result->value[m]);
    json_decref(result->notes);
    free(result);
}

size_t measure_result_count(const struct measure_result *result)
{
    size_t count = json_object_size(result->notes);

    for (int m = 0; m < MEASURE_COUNT; m++)
        count += result->value[m] != NULL;
    return count;
}

static int note_at(const struct measure_result *result, size_t index,
                   struct measure_entry *entry)
{
    void *note = json_object_iter(result->notes);

    for (; note && index; index--)
        note = json_object_iter_next(result->notes, note);
    if (!note)
        return -1;
    *entry = (struct measure_entry){
        .name = json_object_iter_key(note),
        .is_note = true,
        .type = MEASURE_TYPE_JSON,
        .value = json_object_iter_value(note),
    };
    return 0;
}

int measure_result_at(const struct measure_result *result, size_t index,
                      struct measure_entry *entry)
{
    for (int m = 0; m < MEASURE_COUNT; m++) {
        const struct measure_facts *facts = measure_facts((enum measure)m);
        if (!result->value[m] || index--)
            continue;
        *entry = (struct measure_entry){
            .name = facts->name,
            .measure = (enum measure)m,
            .type = facts->type,
            .value = result->value[m],
        };
        return 0;
    }
    return note_at(result, index, entry);
}

const json_t *measure_result_get(const struct measure_result *result,
                                 enum measure measure)
{
    return (unsigned)measure < MEASURE_COUNT ? result->value[measure] : NULL;
}

void measure_result_set(struct measure_result *result, enum measure measure,
                        json_t *value)
{
    value_release(measure, result->value[measure]);
    result->value[measure] = value;
}

void measure_result_note(struct measure_result *result, const char *key,
                         json_t *value)
{
    json_object_set_new(result->notes, key, value);
}

/* ---- what providers give ------------------------------------------------- */

void measure_give(struct measure_result *result, enum measure measure,
                  json_t *value)
{
    if (value && result->value[measure])
        measure_result_set(result, measure, value);
    else
        json_decref(value);
}

void measure_give_number(struct measure_result *result, enum measure measure,
                         double value)
{
    if (!isfinite(value))
        return;
    measure_give(result, measure,
                 value == rint(value) && fabs(value) < 9e15
                     ? json_integer((json_int_t)value)
                     : json_real(value));
}

void measure_give_text(struct measure_result *result, enum measure measure,
                       const char *text)
{
    if (text)
        measure_give(result, measure, json_string(text));
}

/* ---- exports ------------------------------------------------------------- */

static void simple_add(const struct measure_result *result, struct buf *out)
{
    struct measure_entry entry;

    for (size_t i = 0; result && measure_result_at(result, i, &entry) == 0;
         i++) {
        const char *text = json_string_value(entry.value);
        auto_free char *other =
            text ? NULL
                 : json_dumps(entry.value, JSON_ENCODE_ANY | JSON_COMPACT |
                                               JSON_REAL_PRECISION(15));
        buf_add_format(out, "%s: %s\n", entry.name, text ? text : other);
    }
}

void measure_export_simple(const struct measure_result *info,
                           const struct measure_result *result, struct buf *out)
{
    simple_add(info, out);
    simple_add(result, out);
}

static void json_add(const struct measure_result *result, json_t *out)
{
    if (!result)
        return;
    for (int m = 0; m < MEASURE_COUNT; m++)
        if (result->value[m])
            json_object_set(out, measure_facts((enum measure)m)->name,
                            result->value[m]);
    if (!json_object_size(result->notes))
        return;
    if (!json_object_get(out, "notes"))
        json_object_set_new(out, "notes", json_object());
    json_object_update(json_object_get(out, "notes"), result->notes);
}

json_t *measure_export_json(const struct measure_result *info,
                            const struct measure_result *result)
{
    json_t *out = json_object();

    json_add(info, out);
    json_add(result, out);
    return out;
}
