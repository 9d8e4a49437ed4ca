/* store: a build as a .bot file, an uncompressed tar, by libarchive.
 *
 *     manifest.json   {"bout":1,"build","fingerprint","target","diagnostics"}
 *     module.bc blocks.json layout.json
 *     source/PATH     each file of the submission
 *     bot.TARGET      the executable
 *
 * Equal builds are equal files: no times, no owners, one order. GNU's format
 * keeps names as the bytes they are, whatever the locale (pax would convert,
 * and libarchive crashes where it cannot). A .bot is trusted like an
 * executable; its form is checked so that a damaged one says so.
 */
#include "runner/build/store.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#define BOT_MAX_BYTES (512u << 20)
#define SOURCE_PREFIX "source/"

/* ---- writing ------------------------------------------------------------- */

static void cleanup_write(struct archive **archive)
{
    archive_write_free(*archive);
}

static la_ssize_t write_bytes(struct archive *archive, void *out,
                              const void *bytes, size_t size)
{
    (void)archive;
    buf_add(out, bytes, size);
    return (la_ssize_t)size;
}

static int add_member(struct archive *archive, const char *name,
                      const void *bytes, size_t size, struct err *err)
{
    struct archive_entry *entry = archive_entry_new();

    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)size);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    int code = archive_write_header(archive, entry);
    archive_entry_free(entry);
    if (code != ARCHIVE_OK ||
        archive_write_data(archive, bytes, size) != (la_ssize_t)size)
        return err_set(err, ERR_SYSTEM, "%s: %s", name,
                       archive_error_string(archive));
    return 0;
}

static int add_json(struct archive *archive, const char *name,
                    const json_t *document, struct err *err)
{
    auto_free char *text = json_dumps(document, JSON_COMPACT);

    if (!text)
        return err_set(err, ERR_SYSTEM, "%s: cannot be written as JSON", name);
    return add_member(archive, name, text, strlen(text), err);
}

static int add_manifest(struct archive *archive, const struct build *build,
                        struct err *err)
{
    json_t *manifest = json_object();

    json_object_set_new(manifest, "bout", json_integer(1));
    json_object_set_new(manifest, "build", json_string(build->hash));
    json_object_set_new(manifest, "fingerprint",
                        json_string(build->fingerprint));
    json_object_set_new(manifest, "target", json_string(build->target));
    json_object_set(manifest, "diagnostics", build->diagnostics);
    int result = add_json(archive, "manifest.json", manifest, err);
    json_decref(manifest);
    return result;
}

static int add_source(struct archive *archive, const struct build *build,
                      struct err *err)
{
    for (size_t i = 0; i < build->source.count; i++) {
        const struct build_file *file = &build->source.file[i];
        auto_free char *name = mem_format(SOURCE_PREFIX "%s", file->path);
        if (add_member(archive, name, file->bytes, file->size, err) < 0)
            return -1;
    }
    return 0;
}

static int add_members(struct archive *archive, const struct build *build,
                       struct err *err)
{
    auto_free char *elf = mem_format("bot.%s", build->target);

    if (add_manifest(archive, build, err) < 0 ||
        add_member(archive, "module.bc", build->module, build->module_size,
                   err) < 0 ||
        add_json(archive, "blocks.json", build->blocks, err) < 0 ||
        add_json(archive, "layout.json", build->layout, err) < 0 ||
        add_source(archive, build, err) < 0)
        return -1;
    return add_member(archive, elf, build->elf, build->elf_size, err);
}

int build_save(const struct build *build, const char *path, struct err *err)
{
    __attribute__((cleanup(cleanup_write))) struct archive *archive =
        archive_write_new();
    auto_buf struct buf bytes = {0};

    if (archive_write_set_format_gnutar(archive) != ARCHIVE_OK ||
        archive_write_open(archive, &bytes, NULL, write_bytes, NULL) !=
            ARCHIVE_OK)
        return err_set(err, ERR_SYSTEM, "%s: %s", path,
                       archive_error_string(archive));
    if (add_members(archive, build, err) < 0)
        return err_wrap(err, "%s", path);
    if (archive_write_close(archive) != ARCHIVE_OK)
        return err_set(err, ERR_SYSTEM, "%s: %s", path,
                       archive_error_string(archive));
    return io_write_file(path, bytes.data, bytes.size, 0644, err);
}

/* ---- reading ------------------------------------------------------------- */

static void cleanup_read(struct archive **archive)
{
    archive_read_free(*archive);
}

static void cleanup_json(json_t **document)
{
    json_decref(*document);
}
#define auto_json __attribute__((cleanup(cleanup_json)))

static int take_json(json_t **to, const char *name, const struct buf *bytes,
                     struct err *err)
{
    json_error_t why;

    json_decref(*to);
    *to = json_loadb(bytes->data ? bytes->data : "", bytes->size, 0, &why);
    if (!*to)
        return err_set(err, ERR_INPUT, "%s:%d: %s", name, why.line, why.text);
    return 0;
}

static void take_bytes(char **to, size_t *size, struct buf *bytes)
{
    free(*to);
    *size = bytes->size;
    *to = buf_take(bytes);
}

/* A member that no version of ours wrote is skipped. */
static int take_member(struct build *build, json_t **manifest, const char *name,
                       struct buf *bytes, struct err *err)
{
    if (!strcmp(name, "manifest.json"))
        return take_json(manifest, name, bytes, err);
    if (!strcmp(name, "blocks.json"))
        return take_json(&build->blocks, name, bytes, err);
    if (!strcmp(name, "layout.json"))
        return take_json(&build->layout, name, bytes, err);
    if (!strncmp(name, SOURCE_PREFIX, strlen(SOURCE_PREFIX)))
        return build_source_add(&build->source, name + strlen(SOURCE_PREFIX),
                                bytes->data ? bytes->data : "", bytes->size,
                                err);
    if (!strcmp(name, "module.bc"))
        take_bytes(&build->module, &build->module_size, bytes);
    else if (!strncmp(name, "bot.", 4))
        take_bytes(&build->elf, &build->elf_size, bytes);
    return 0;
}

static int read_member(struct archive *archive, struct archive_entry *entry,
                       struct buf *bytes, struct err *err)
{
    la_int64_t size = archive_entry_size(entry);

    if (archive_entry_filetype(entry) != AE_IFREG || size < 0 ||
        size > BOT_MAX_BYTES)
        return err_set(err, ERR_INPUT, "holds what is not a file");
    buf_reserve(bytes, (size_t)size);
    if (size > 0 &&
        archive_read_data(archive, bytes->data, (size_t)size) != size)
        return err_set(err, ERR_INPUT, "is cut off");
    bytes->size = (size_t)size;
    if (bytes->data)
        bytes->data[size] = '\0';
    return 0;
}

static int read_members(struct archive *archive, struct build *build,
                        json_t **manifest, struct err *err)
{
    for (;;) {
        struct archive_entry *entry;
        auto_buf struct buf bytes = {0};
        int code = archive_read_next_header(archive, &entry);

        if (code == ARCHIVE_EOF)
            return 0;
        const char *name =
            code == ARCHIVE_OK ? archive_entry_pathname(entry) : NULL;
        if (!name)
            return err_set(err, ERR_INPUT, "is damaged or no .bot file");
        if (read_member(archive, entry, &bytes, err) < 0 ||
            take_member(build, manifest, name, &bytes, err) < 0)
            return -1;
    }
}

static bool take_hash(char to[HASH_HEX_SIZE], const json_t *manifest,
                      const char *key)
{
    const char *hash = json_string_value(json_object_get(manifest, key));

    if (!hash || strlen(hash) != HASH_HEX_SIZE - 1 ||
        strspn(hash, "0123456789abcdef") != HASH_HEX_SIZE - 1)
        return false;
    memcpy(to, hash, HASH_HEX_SIZE);
    return true;
}

static int check_whole(struct build *build, const json_t *manifest,
                       struct err *err)
{
    const char *target = json_string_value(json_object_get(manifest, "target"));
    json_t *diagnostics = json_object_get(manifest, "diagnostics");
    json_t *counters = json_object_get(build->layout, "counters");
    json_t *data = json_object_get(build->layout, "data_bytes");

    if (json_integer_value(json_object_get(manifest, "bout")) != 1)
        return err_set(err, ERR_INPUT, "is no .bot file of this version");
    if (!take_hash(build->hash, manifest, "build") ||
        !take_hash(build->fingerprint, manifest, "fingerprint") || !target ||
        !json_is_array(diagnostics) || !build->module || !build->elf ||
        !json_is_object(build->blocks) || !json_is_integer(counters) ||
        !json_is_integer(data))
        return err_set(err, ERR_INPUT, "is not whole: build it again");
    build->target = mem_dup_str(target);
    build->diagnostics = json_incref(diagnostics);
    build->counters_count = (uint64_t)json_integer_value(counters);
    build->data_bytes = (uint64_t)json_integer_value(data);
    build->ready = true;
    return 0;
}

static int parse_bot(const struct buf *bytes, struct build *build,
                     struct err *err)
{
    __attribute__((cleanup(cleanup_read))) struct archive *archive =
        archive_read_new();
    auto_json json_t *manifest = NULL;

    if (archive_read_support_format_tar(archive) != ARCHIVE_OK ||
        archive_read_open_memory(archive, bytes->data ? bytes->data : "",
                                 bytes->size) != ARCHIVE_OK)
        return err_set(err, ERR_INPUT, "is no .bot file");
    if (read_members(archive, build, &manifest, err) < 0)
        return -1;
    return check_whole(build, manifest, err);
}

struct build *build_open(const char *path, struct err *err)
{
    auto_buf struct buf bytes = {0};
    struct build *build = build_new();

    if (io_read_file(path, BOT_MAX_BYTES, &bytes, err) == 0) {
        if (parse_bot(&bytes, build, err) == 0)
            return build;
        err_wrap(err, "%s", path);
    }
    build_free(build);
    return NULL;
}

/* ---- the cache ----------------------------------------------------------- */

char *build_cache_folder(struct err *err)
{
    const char *own = getenv("BOUT_CACHE");
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (own && *own)
        return mem_format("%s/builds", own);
    if (xdg && *xdg)
        return mem_format("%s/bout/builds", xdg);
    if (home && *home)
        return mem_format("%s/.cache/bout/builds", home);
    err_set(err, ERR_SYSTEM, "no cache folder: HOME is not set");
    return NULL;
}

int build_cache_put(const struct build *build, struct err *err)
{
    auto_free char *folder = build_cache_folder(err);

    if (!folder || io_make_folders(folder, 0755, err) < 0)
        return -1;
    auto_free char *path = mem_format("%s/%s.bot", folder, build->hash);
    return build_save(build, path, err);
}

struct build *build_cache_get(const char *hash, struct err *err)
{
    auto_free char *folder = build_cache_folder(err);

    if (!folder)
        return NULL;
    auto_free char *path = mem_format("%s/%s.bot", folder, hash);
    return build_open(path, err);
}
