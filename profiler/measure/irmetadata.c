/* irmetadata: results as ir_metadata 0.2 (https://www.ir-metadata.org), YAML by
 * libyaml. A tree of jansson objects is filled by irmetadata.def and written;
 * notes stand under "notes". */
#include "profiler/measure/measure.h"
#include "runner/base/cleanup.h"

#include <string.h>
#include <yaml.h>

/* ---- the tree ------------------------------------------------------------ */

static void put(json_t *root, const char *path, json_t *value)
{
    auto_free char *copy = mem_dup_str(path);
    char *rest = copy;

    for (char *slash; (slash = strchr(rest, '/')) != NULL; rest = slash + 1) {
        *slash = '\0';
        json_t *next = json_object_get(root, rest);
        if (!next) {
            next = json_object();
            json_object_set_new(root, rest, next);
        }
        root = next;
    }
    json_object_set_new(root, rest, value);
}

static json_t *with_unit(const json_t *value, const char *unit)
{
    if (!*unit || !json_is_number(value))
        return json_deep_copy(value);
    auto_free char *text =
        json_is_integer(value)
            ? mem_format("%" JSON_INTEGER_FORMAT "%s",
                         json_integer_value(value), unit)
            : mem_format("%.15g%s", json_real_value(value), unit);
    return json_string(text);
}

static json_t *tree(const json_t *values)
{
    static const struct {
        const char *path;
        enum measure measure;
        const char *unit;
    } places[] = {
#define IR(path, NAME, unit) {path, MEASURE_##NAME, unit},
#include "profiler/measure/irmetadata.def"
    };
    json_t *root = json_object();

    json_object_set_new(root, "schema version", json_string("0.2"));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const json_t *value =
            json_object_get(values, measure_facts(places[i].measure)->name);
        if (value)
            put(root, places[i].path, with_unit(value, places[i].unit));
    }
    const json_t *notes = json_object_get(values, "notes");
    if (notes)
        json_object_set_new(root, "notes", json_deep_copy(notes));
    return root;
}

/* ---- YAML ---------------------------------------------------------------- */

static int emit(yaml_emitter_t *emitter, yaml_event_t *event)
{
    return yaml_emitter_emit(emitter, event) ? 0 : -1;
}

/* A text is quoted, so that no reader takes "0.2" or "no" for something else.
 */
static int emit_scalar(yaml_emitter_t *emitter, const char *text, bool is_text)
{
    yaml_event_t event;
    auto_free char *copy = mem_dup_str(text);

    yaml_scalar_event_initialize(
        &event, NULL, NULL, (yaml_char_t *)copy, (int)strlen(copy), 1, is_text,
        is_text ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE);
    return emit(emitter, &event);
}

static int emit_value(yaml_emitter_t *emitter, const json_t *value);

static int emit_list(yaml_emitter_t *emitter, const json_t *list)
{
    yaml_event_t event;
    const json_t *item;
    size_t i;

    yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
                                         YAML_FLOW_SEQUENCE_STYLE);
    if (emit(emitter, &event) < 0)
        return -1;
    json_array_foreach(list, i, item) {
        if (emit_value(emitter, item) < 0)
            return -1;
    }
    yaml_sequence_end_event_initialize(&event);
    return emit(emitter, &event);
}

static int emit_map(yaml_emitter_t *emitter, const json_t *map)
{
    yaml_event_t event;

    yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
                                        YAML_BLOCK_MAPPING_STYLE);
    if (emit(emitter, &event) < 0)
        return -1;
    /* jansson iterates a const object only through a cast of its own. */
    json_t *copy = json_copy((json_t *)(uintptr_t)map);
    int result = 0;
    const char *key;
    json_t *value;
    json_object_foreach(copy, key, value) {
        if (emit_scalar(emitter, key, false) < 0 ||
            emit_value(emitter, value) < 0) {
            result = -1;
            break;
        }
    }
    json_decref(copy);
    yaml_mapping_end_event_initialize(&event);
    return result < 0 ? -1 : emit(emitter, &event);
}

static int emit_value(yaml_emitter_t *emitter, const json_t *value)
{
    if (json_is_object(value))
        return emit_map(emitter, value);
    if (json_is_array(value))
        return emit_list(emitter, value);
    if (json_is_string(value))
        return emit_scalar(emitter, json_string_value(value), true);
    auto_free char *text =
        json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    return emit_scalar(emitter, text, false);
}

static int emit_document(yaml_emitter_t *emitter, const json_t *root)
{
    yaml_event_t event;

    yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING);
    if (emit(emitter, &event) < 0)
        return -1;
    yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1);
    if (emit(emitter, &event) < 0 || emit_value(emitter, root) < 0)
        return -1;
    yaml_document_end_event_initialize(&event, 1);
    if (emit(emitter, &event) < 0)
        return -1;
    yaml_stream_end_event_initialize(&event);
    return emit(emitter, &event);
}

static int write_buf(void *out, unsigned char *bytes, size_t size)
{
    buf_add(out, bytes, size);
    return 1;
}

int measure_export_irmetadata(const struct measure_result *info,
                              const struct measure_result *result,
                              struct buf *out, struct err *err)
{
    json_t *values = measure_export_json(info, result);
    json_t *root = tree(values);
    yaml_emitter_t emitter;
    int status = 0;

    yaml_emitter_initialize(&emitter);
    yaml_emitter_set_output(&emitter, write_buf, out);
    yaml_emitter_set_unicode(&emitter, 1);
    yaml_emitter_set_width(&emitter, -1);
    if (emit_document(&emitter, root) < 0)
        status = err_set(err, ERR_SYSTEM, "irmetadata: libyaml: %s",
                         emitter.problem ? emitter.problem : "failed");
    yaml_emitter_delete(&emitter);
    json_decref(root);
    json_decref(values);
    return status;
}
