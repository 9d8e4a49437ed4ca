/* The part of wire.h about what bots are made of. */
#include "runner/base/cleanup.h"
#include "runner/build/store.h"
#include "runner/work/wire.h"

#include <string.h>

/* Blobs of a build, from the index that its head names. */
enum build_blob { BLOB_MODULE, BLOB_BLOCKS, BLOB_LAYOUT, BLOB_ELF };

static void put_build(struct parcel *parcel, const char *hash,
                      const char *fingerprint, const char *target, size_t blob)
{
    json_object_set_new(parcel->head, "build",
                        json_pack("{s:s, s:s, s:s?, s:I}", "hash", hash,
                                  "fingerprint", fingerprint, "target", target,
                                  "blob", (json_int_t)blob));
}

void wire_put_build(struct parcel *parcel, const struct build *build)
{
    auto_free char *blocks = json_dumps(build->blocks, JSON_COMPACT);
    auto_free char *layout = json_dumps(build->layout, JSON_COMPACT);
    size_t blob = parcel_add(parcel, build->module, build->module_size);

    parcel_add(parcel, blocks, blocks ? strlen(blocks) : 0);
    parcel_add(parcel, layout, layout ? strlen(layout) : 0);
    parcel_add(parcel, build->elf, build->elf_size);
    put_build(parcel, build->hash, build->fingerprint, build->target, blob);
}

void wire_put_build_row(struct parcel *parcel, const struct build_row *row)
{
    size_t blob = parcel_add(parcel, row->module, row->module_size);

    parcel_add(parcel, row->blocks, strlen(row->blocks));
    parcel_add(parcel, row->layout, strlen(row->layout));
    parcel_add(parcel, row->elf, row->elf_size);
    put_build(parcel, row->hash, row->fingerprint, row->target, blob);
}

static bool is_hash(const char *text)
{
    return text && strlen(text) == HASH_HEX_SIZE - 1 &&
           strspn(text, "0123456789abcdef") == HASH_HEX_SIZE - 1;
}

int wire_get_build_row(const struct parcel *parcel, struct build_row *row,
                       struct err *err)
{
    const json_t *head = json_object_get(parcel->head, "build");
    const char *hash = json_string_value(json_object_get(head, "hash"));
    const char *print = json_string_value(json_object_get(head, "fingerprint"));
    const char *target = json_string_value(json_object_get(head, "target"));
    json_int_t first = json_integer_value(json_object_get(head, "blob"));
    const struct buf *blob[4];

    if (!is_hash(hash) || !is_hash(print) || first < 0)
        return err_set(err, ERR_SYSTEM, "message: no build in it");
    for (size_t i = 0; i < 4; i++) {
        blob[i] = parcel_blob(parcel, (size_t)first + i);
        if (!blob[i])
            return err_set(err, ERR_SYSTEM, "message: a build's part is gone");
    }
    *row = (struct build_row){
        .hash = mem_dup_str(hash),
        .fingerprint = mem_dup_str(print),
        .target = target ? mem_dup_str(target) : NULL,
        .module = mem_dup(blob[BLOB_MODULE]->data, blob[BLOB_MODULE]->size),
        .module_size = blob[BLOB_MODULE]->size,
        .blocks = mem_dup(blob[BLOB_BLOCKS]->data, blob[BLOB_BLOCKS]->size),
        .layout = mem_dup(blob[BLOB_LAYOUT]->data, blob[BLOB_LAYOUT]->size),
        .elf = mem_dup(blob[BLOB_ELF]->data, blob[BLOB_ELF]->size),
        .elf_size = blob[BLOB_ELF]->size,
    };
    return 0;
}

struct build *wire_get_build(const struct parcel *parcel, struct err *err)
{
    struct build_row row = {0};

    if (wire_get_build_row(parcel, &row, err) < 0)
        return NULL;
    struct build *build = build_new();
    memcpy(build->hash, row.hash, HASH_HEX_SIZE);
    memcpy(build->fingerprint, row.fingerprint, HASH_HEX_SIZE);
    build->target = take_ptr(row.target);
    build->module = take_ptr(row.module);
    build->module_size = row.module_size;
    build->elf = take_ptr(row.elf);
    build->elf_size = row.elf_size;
    build->blocks = json_loads(row.blocks, 0, NULL);
    build->layout = json_loads(row.layout, 0, NULL);
    build_row_release(&row);

    const json_t *counters = json_object_get(build->layout, "counters");
    const json_t *data = json_object_get(build->layout, "data_bytes");
    if (!json_is_object(build->blocks) || !json_is_integer(counters) ||
        !json_is_integer(data) || build->elf_size == 0) {
        err_set(err, ERR_SYSTEM, "build %s is not whole", build->hash);
        build_free(build);
        return NULL;
    }
    build->counters_count = (uint64_t)json_integer_value(counters);
    build->data_bytes = (uint64_t)json_integer_value(data);
    build->ready = true;
    return build;
}

/* ---- sources ------------------------------------------------------------ */

void wire_put_files(struct parcel *parcel, const struct bot_files *files)
{
    json_t *list = json_array();
    auto_buf struct buf bytes = {0};

    for (size_t i = 0; i < files->count; i++) {
        const struct bot_file *file = &files->file[i];
        json_array_append_new(
            list, json_pack("[s, I]", file->path, (json_int_t)file->size));
        buf_add(&bytes, file->bytes, file->size);
    }
    json_object_set_new(parcel->head, "files", list);
    json_object_set_new(
        parcel->head, "files_blob",
        json_integer((json_int_t)parcel_add(parcel, bytes.data, bytes.size)));
}

void wire_put_source(struct parcel *parcel, const struct build_source *source)
{
    struct bot_files files = {
        .file = mem_calloc(source->count, sizeof *files.file),
        .count = source->count,
    };

    for (size_t i = 0; i < source->count; i++)
        files.file[i] = (struct bot_file){
            source->file[i].path, source->file[i].bytes, source->file[i].size};
    wire_put_files(parcel, &files);
    free(files.file);
}

int wire_get_files(const struct parcel *parcel, struct build_source *source,
                   struct err *err)
{
    const json_t *list = json_object_get(parcel->head, "files");
    int64_t at = 0;
    size_t used = 0;

    if (parcel_i64(parcel, "files_blob", &at, err) < 0)
        return -1;
    const struct buf *bytes = at < 0 ? NULL : parcel_blob(parcel, (size_t)at);
    if (!json_is_array(list) || !bytes)
        return err_set(err, ERR_SYSTEM, "message: no files in it");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *path = json_string_value(json_array_get(entry, 0));
        const json_t *size = json_array_get(entry, 1);
        if (!path || !json_is_integer(size) || json_integer_value(size) < 0 ||
            (uint64_t)json_integer_value(size) > bytes->size - used)
            return err_set(err, ERR_SYSTEM, "message: file %zu is damaged", i);
        size_t file_size = (size_t)json_integer_value(size);
        if (build_source_add(source, path, bytes->data + used, file_size, err) <
            0)
            return -1;
        used += file_size;
    }
    return 0;
}
