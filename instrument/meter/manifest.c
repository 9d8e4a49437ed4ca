#include "instrument/meter/manifest.h"

#include "instrument/meter/json.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define MANIFEST_MAX_BYTES (64u << 20)

void manifest_release(struct manifest *manifest)
{
    for (size_t i = 0; i < manifest->type_count; i++)
        free(manifest->types[i]);
    for (size_t i = 0; i < manifest->symbol_count; i++) {
        free(manifest->symbols[i].name);
        free(manifest->symbols[i].target);
    }
    free(manifest->types);
    free(manifest->symbols);
    *manifest = (struct manifest){0};
}

struct manifest_symbol *manifest_add(struct manifest *manifest,
                                     const char *name)
{
    if (manifest->symbol_count == manifest->symbol_capacity) {
        manifest->symbol_capacity =
            manifest->symbol_capacity ? 2 * manifest->symbol_capacity : 256;
        manifest->symbols =
            mem_realloc(manifest->symbols,
                        manifest->symbol_capacity * sizeof *manifest->symbols);
    }
    struct manifest_symbol *symbol =
        &manifest->symbols[manifest->symbol_count++];
    *symbol = (struct manifest_symbol){.name = mem_dup_str(name)};
    manifest->sorted = false;
    return symbol;
}

static int by_name(const void *a, const void *b)
{
    const struct manifest_symbol *x = a;
    const struct manifest_symbol *y = b;

    return strcmp(x->name, y->name);
}

const struct manifest_symbol *manifest_find(struct manifest *manifest,
                                            const char *name)
{
    const struct manifest_symbol *found;

    if (!manifest->sorted)
        qsort(manifest->symbols, manifest->symbol_count,
              sizeof *manifest->symbols, by_name);
    manifest->sorted = true;
    do {
        struct manifest_symbol key = {0};

        key.name = mem_dup_str(name);
        found = bsearch(&key, manifest->symbols, manifest->symbol_count,
                        sizeof *manifest->symbols, by_name);
        free(key.name);
        name = found ? found->target : NULL;
    } while (name);
    return found;
}

uint32_t manifest_type(struct manifest *manifest, const char *key)
{
    for (size_t i = 0; i < manifest->type_count; i++)
        if (!strcmp(manifest->types[i], key))
            return (uint32_t)i + 1;
    if (manifest->type_count == manifest->type_capacity) {
        manifest->type_capacity =
            manifest->type_capacity ? 2 * manifest->type_capacity : 64;
        manifest->types = mem_realloc(
            manifest->types, manifest->type_capacity * sizeof *manifest->types);
    }
    manifest->types[manifest->type_count++] = mem_dup_str(key);
    return (uint32_t)manifest->type_count;
}

/* ---- writing --------------------------------------------------------------
 */

static void begin_item(struct buf *out, bool *first)
{
    buf_add_str(out, *first ? "\n" : ",\n");
    *first = false;
}

static const char *boolean(bool value)
{
    return value ? "true" : "false";
}

static void add_summary(const struct flow_summary *summary, struct buf *out)
{
    buf_add_format(out,
                   ",\"through\":%lld,\"tail\":%lld,\"head\":%lld,"
                   "\"tolerance\":%lld,\"checks\":%s,\"stops\":%s}",
                   (long long)summary->through, (long long)summary->tail,
                   (long long)summary->head, (long long)summary->tolerance,
                   boolean(summary->checks), boolean(summary->stops));
}

static void add_functions(const struct manifest *manifest, struct buf *out)
{
    bool first = true;

    for (size_t i = 0; i < manifest->symbol_count; i++) {
        const struct manifest_symbol *symbol = &manifest->symbols[i];

        if (symbol->target || !symbol->is_function)
            continue;
        begin_item(out, &first);
        buf_add_str(out, "{\"symbol\":");
        json_add_string(out, symbol->name);
        buf_add_format(out, ",\"index\":%u,\"unwinds\":%s", symbol->index,
                       boolean(symbol->unwinds));
        add_summary(&symbol->summary, out);
    }
}

static void add_data(const struct manifest *manifest, struct buf *out)
{
    bool first = true;

    for (size_t i = 0; i < manifest->symbol_count; i++) {
        const struct manifest_symbol *symbol = &manifest->symbols[i];

        if (symbol->target || symbol->is_function)
            continue;
        begin_item(out, &first);
        json_add_string(out, symbol->name);
    }
}

static void add_aliases(const struct manifest *manifest, struct buf *out)
{
    bool first = true;

    for (size_t i = 0; i < manifest->symbol_count; i++) {
        const struct manifest_symbol *symbol = &manifest->symbols[i];

        if (!symbol->target)
            continue;
        begin_item(out, &first);
        json_add_string(out, symbol->name);
        buf_add_char(out, ':');
        json_add_string(out, symbol->target);
    }
}

int manifest_write(const struct manifest *manifest, const char *path,
                   struct err *err)
{
    auto_buf struct buf out = {0};
    bool first = true;

    buf_add_format(&out,
                   "{\"module\":\"%s\",\"indices\":%u,\"placement\":\"%s\","
                   "\"types\":[",
                   manifest->module_hash, manifest->indices,
                   placement_name(manifest->placement));
    for (size_t i = 0; i < manifest->type_count; i++) {
        begin_item(&out, &first);
        json_add_string(&out, manifest->types[i]);
    }
    buf_add_str(&out, "],\"functions\":[");
    add_functions(manifest, &out);
    buf_add_str(&out, "],\"data\":[");
    add_data(manifest, &out);
    buf_add_str(&out, "],\"aliases\":{");
    add_aliases(manifest, &out);
    buf_add_str(&out, "}}\n");
    return io_write_file(path, out.data, out.size, 0644, err);
}

/* ---- reading --------------------------------------------------------------
 */

static void release_json(json_t **json)
{
    json_decref(*json);
}

static void take_functions(struct manifest *manifest, const json_t *functions)
{
    size_t i;
    json_t *item;

    json_array_foreach(functions, i, item) {
        const char *name = json_string_value(json_object_get(item, "symbol"));

        if (!name)
            continue;
        struct manifest_symbol *symbol = manifest_add(manifest, name);
        symbol->is_function = true;
        symbol->index =
            (uint32_t)json_integer_value(json_object_get(item, "index"));
        symbol->unwinds = json_is_true(json_object_get(item, "unwinds"));
        symbol->summary = (struct flow_summary){
            .through = json_integer_value(json_object_get(item, "through")),
            .tail = json_integer_value(json_object_get(item, "tail")),
            .head = json_integer_value(json_object_get(item, "head")),
            .tolerance = json_integer_value(json_object_get(item, "tolerance")),
            .checks = json_is_true(json_object_get(item, "checks")),
            .stops = json_is_true(json_object_get(item, "stops")),
        };
    }
}

static void take_names(struct manifest *manifest, json_t *root)
{
    size_t i;
    json_t *item;
    const char *name;

    json_array_foreach(json_object_get(root, "types"), i, item)
        manifest_type(manifest, json_string_value(item));
    json_array_foreach(json_object_get(root, "data"), i, item)
        manifest_add(manifest, json_string_value(item));
    json_object_foreach(json_object_get(root, "aliases"), name, item)
        manifest_add(manifest, name)->target =
            mem_dup_str(json_string_value(item));
}

int manifest_read(struct manifest *manifest, const char *path, struct err *err)
{
    auto_buf struct buf text = {0};
    json_error_t why;

    if (io_read_file(path, MANIFEST_MAX_BYTES, &text, err) < 0)
        return -1;
    __attribute__((cleanup(release_json))) json_t *root =
        json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES, &why);
    const char *hash = json_string_value(json_object_get(root, "module"));
    if (!hash || strlen(hash) != HASH_HEX_SIZE - 1)
        return err_set(err, ERR_SYSTEM,
                       "%s is not the library's manifest (line %d: %s)", path,
                       why.line, why.text);

    *manifest = (struct manifest){0};
    memcpy(manifest->module_hash, hash, HASH_HEX_SIZE);
    manifest->indices =
        (uint32_t)json_integer_value(json_object_get(root, "indices"));
    const char *placement =
        json_string_value(json_object_get(root, "placement"));
    if (placement_parse(placement ? placement : "", &manifest->placement, err) <
        0)
        return err_wrap(err, "%s", path);
    take_functions(manifest, json_object_get(root, "functions"));
    take_names(manifest, root);
    return 0;
}
