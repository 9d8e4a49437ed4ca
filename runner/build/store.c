/* store: a build as a .bot file, an uncompressed tar, by libarchive.
 *
 *     manifest.json   {"bout":1,"build","fingerprint","target","diagnostics",
 *                      "members":{NAME: SHA-256 of each of the others}}
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

#include "instrument/bot/page.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#define BOT_MAX_BYTES (512u << 20)
#define SOURCE_PREFIX "source/"
#define STORE_MAX_COUNTERS (1u << 24) /* what 8 MiB of source cannot reach */

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

/* What goes in beside the manifest, which holds a digest of each. */
struct members {
    struct member {
        char *name;
        const void *bytes; /* `owned`, or of the build */
        size_t size;
        char *owned;
    } * item;
    size_t count;
};

static void members_release(struct members *members)
{
    for (size_t i = 0; i < members->count; i++) {
        free(members->item[i].name);
        free(members->item[i].owned);
    }
    free(members->item);
}

/* Takes the name over. */
static void members_add(struct members *members, char *name, const void *bytes,
                        size_t size)
{
    members->item[members->count++] =
        (struct member){.name = name, .bytes = bytes, .size = size};
}

static int members_add_json(struct members *members, const char *name,
                            const json_t *document, struct err *err)
{
    char *text = json_dumps(document, JSON_COMPACT);

    if (!text)
        return err_set(err, ERR_SYSTEM, "%s: cannot be written as JSON", name);
    members_add(members, mem_dup_str(name), text, strlen(text));
    members->item[members->count - 1].owned = text;
    return 0;
}

static int members_collect(struct members *members, const struct build *build,
                           struct err *err)
{
    members->item = mem_calloc(4 + build->source.count, sizeof *members->item);
    members_add(members, mem_dup_str("module.bc"), build->module,
                build->module_size);
    if (members_add_json(members, "blocks.json", build->blocks, err) < 0 ||
        members_add_json(members, "layout.json", build->layout, err) < 0)
        return -1;
    for (size_t i = 0; i < build->source.count; i++) {
        const struct build_file *file = &build->source.file[i];
        members_add(members, mem_format(SOURCE_PREFIX "%s", file->path),
                    file->bytes, file->size);
    }
    members_add(members, mem_format("bot.%s", build->target), build->elf,
                build->elf_size);
    return 0;
}

static json_t *members_digests(const struct members *members)
{
    json_t *digests = json_object();

    for (size_t i = 0; i < members->count; i++) {
        const struct member *member = &members->item[i];
        char hex[HASH_HEX_SIZE];
        hash_bytes_hex(member->bytes, member->size, hex);
        json_object_set_new(digests, member->name, json_string(hex));
    }
    return digests;
}

static int add_manifest(struct archive *archive, const struct build *build,
                        const struct members *members, struct err *err)
{
    json_t *manifest = json_object();

    json_object_set_new(manifest, "bout", json_integer(1));
    json_object_set_new(manifest, "build", json_string(build->hash));
    json_object_set_new(manifest, "fingerprint",
                        json_string(build->fingerprint));
    json_object_set_new(manifest, "target", json_string(build->target));
    json_object_set(manifest, "diagnostics", build->diagnostics);
    json_object_set_new(manifest, "members", members_digests(members));
    auto_free char *text = json_dumps(manifest, JSON_COMPACT);
    json_decref(manifest);
    if (!text)
        return err_set(err, ERR_SYSTEM, "manifest.json: cannot be written");
    return add_member(archive, "manifest.json", text, strlen(text), err);
}

static int add_members(struct archive *archive, const struct build *build,
                       struct err *err)
{
    __attribute__((cleanup(members_release))) struct members members = {0};

    if (members_collect(&members, build, err) < 0 ||
        add_manifest(archive, build, &members, err) < 0)
        return -1;
    for (size_t i = 0; i < members.count; i++) {
        const struct member *member = &members.item[i];
        if (add_member(archive, member->name, member->bytes, member->size,
                       err) < 0)
            return -1;
    }
    return 0;
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

/* The manifest comes first. Every other member must be in it, once, with its
 * digest: a file in which one thing was changed is not what its hash says. */
static int check_member(json_t *digests, const char *name,
                        const struct buf *bytes, struct err *err)
{
    const char *digest = json_string_value(json_object_get(digests, name));
    char hex[HASH_HEX_SIZE];

    if (!digest)
        return err_set(err, ERR_INPUT,
                       "%.80s is not in its manifest: build it again", name);
    hash_bytes_hex(bytes->data ? bytes->data : "", bytes->size, hex);
    if (strcmp(digest, hex) != 0)
        return err_set(err, ERR_INPUT,
                       "%.80s was changed since the build: build it again",
                       name);
    json_object_del(digests, name);
    return 0;
}

/* 1: a member was taken; 0: there are no more; -1. */
static int next_member(struct archive *archive, struct build *build,
                       json_t **manifest, struct err *err)
{
    struct archive_entry *entry;
    auto_buf struct buf bytes = {0};
    int code = archive_read_next_header(archive, &entry);

    if (code == ARCHIVE_EOF)
        return 0;
    const char *name =
        code == ARCHIVE_OK ? archive_entry_pathname(entry) : NULL;
    if (!name || (!*manifest && strcmp(name, "manifest.json") != 0))
        return err_set(err, ERR_INPUT, "is damaged or no .bot file");
    if (read_member(archive, entry, &bytes, err) < 0)
        return -1;
    if (*manifest && check_member(json_object_get(*manifest, "members"), name,
                                  &bytes, err) < 0)
        return -1;
    return take_member(build, manifest, name, &bytes, err) < 0 ? -1 : 1;
}

static int read_members(struct archive *archive, struct build *build,
                        json_t **manifest, struct err *err)
{
    int result;

    while ((result = next_member(archive, build, manifest, err)) == 1)
        ;
    if (result == 0 &&
        json_object_size(json_object_get(*manifest, "members")) > 0)
        return err_set(err, ERR_INPUT, "is not whole: build it again");
    return result;
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

/* The member as a number that a box can be made for. */
static bool take_count(uint64_t *count, const json_t *layout, const char *name,
                       uint64_t most)
{
    const json_t *value = json_object_get(layout, name);

    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) > most)
        return false;
    *count = (uint64_t)json_integer_value(value);
    return true;
}

static int check_whole(struct build *build, const json_t *manifest,
                       struct err *err)
{
    const char *target = json_string_value(json_object_get(manifest, "target"));
    json_t *diagnostics = json_object_get(manifest, "diagnostics");

    if (json_integer_value(json_object_get(manifest, "bout")) != 1)
        return err_set(err, ERR_INPUT, "is no .bot file of this version");
    if (!take_hash(build->hash, manifest, "build") ||
        !take_hash(build->fingerprint, manifest, "fingerprint") || !target ||
        !json_is_array(diagnostics) || !build->module || !build->elf ||
        !json_is_object(build->blocks) ||
        !take_count(&build->counters_count, build->layout, "counters",
                    STORE_MAX_COUNTERS) ||
        !take_count(&build->data_bytes, build->layout, "data_bytes",
                    PAGE_DATA_MAX_BYTES))
        return err_set(err, ERR_INPUT, "is not whole: build it again");
    build->target = mem_dup_str(target);
    build->diagnostics = json_incref(diagnostics);
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
    auto_free char *folder = NULL;

    if (!build->made_here)
        return 0;
    folder = build_cache_folder(err);
    if (!folder)
        return -1;
    auto_free char *path = mem_format("%s/%s.bot", folder, build->hash);
    if (io_make_folders(folder, 0755, err) == 0 &&
        build_save(build, path, err) == 0)
        return 0;
    struct err why = *err;
    return err_set(err, why.kind,
                   "%.160s (BOUT_CACHE or XDG_CACHE_HOME names another folder)",
                   why.msg);
}

struct build *build_cache_get(const char *hash, struct err *err)
{
    auto_free char *folder = build_cache_folder(err);

    if (!folder)
        return NULL;
    auto_free char *path = mem_format("%s/%s.bot", folder, hash);
    auto_build struct build *build = build_open(path, err);
    if (build && strcmp(build->hash, hash) != 0) {
        err_set(err, ERR_INPUT, "%s: holds another build than its name says",
                path);
        return NULL;
    }
    return take_ptr(build);
}
