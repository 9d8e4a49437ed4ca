#include "runner/build/exec_game.h"

#include "runner/base/cleanup.h"
#include "runner/base/hash.h"
#include "runner/base/io.h"
#include "runner/build/store.h"
#include "runner/build/toolchain.h"

#include <string.h>

#define GAME_JSON_MAX_BYTES 65536u

/* {"exec": [PROGRAM, ARGUMENT...]}; the box has no programs but those. */
static int command_check(const json_t *exec, struct err *err)
{
    const char *program = json_string_value(json_array_get(exec, 0));

    if (!program || json_array_size(exec) > EXEC_GAME_MAX_PARTS)
        return err_set(err, ERR_INPUT,
                       BUILD_GAME_JSON ": \"exec\" must be the command, an "
                                       "array of 1 to %d strings",
                       EXEC_GAME_MAX_PARTS);
    for (size_t i = 0; i < json_array_size(exec); i++)
        if (!json_is_string(json_array_get(exec, i)))
            return err_set(err, ERR_INPUT,
                           BUILD_GAME_JSON
                           ": \"exec\" holds what is no string");
    if (strncmp(program, "/usr/bin/", 9) != 0 &&
        strncmp(program, "/bin/", 5) != 0)
        return err_set(err, ERR_INPUT,
                       BUILD_GAME_JSON ": \"exec\" must begin with a program "
                                       "of /usr/bin or /bin");
    return 0;
}

/* The command. New reference. */
static json_t *command_read(const char *dir, struct err *err)
{
    auto_free char *path = mem_format("%s/" BUILD_GAME_JSON, dir);
    auto_buf struct buf bytes = {0};
    json_error_t fault;

    if (io_read_file(path, GAME_JSON_MAX_BYTES, &bytes, err) < 0)
        return NULL;
    json_t *document = json_loadb(bytes.data ? bytes.data : "", bytes.size,
                                  JSON_REJECT_DUPLICATES, &fault);
    if (!document) {
        err_set(err, ERR_INPUT, "%s:%d: %s", path, fault.line, fault.text);
        return NULL;
    }
    json_t *exec = json_object_get(document, "exec");
    json_t *command = command_check(exec, err) < 0 ? NULL : json_incref(exec);
    json_decref(document);
    return command;
}

/* Over path and bytes of each file, in byte order of the paths. */
static void source_hash(const struct build_source *source,
                        char out[HASH_HEX_SIZE])
{
    struct hash hash;

    hash_init(&hash);
    for (size_t i = 0; i < source->count; i++) {
        const struct build_file *file = &source->file[i];
        auto_free char *head = mem_format("%s %zu\n", file->path, file->size);
        hash_add_str(&hash, head);
        hash_add(&hash, file->bytes, file->size);
    }
    hash_end_hex(&hash, out);
}

struct build *exec_game_make(const char *dir, struct err *err)
{
    auto_build struct build *build = build_new();
    auto_free char *path = mem_dup_str(dir);
    const char *host = toolchain_host_target();

    build->exec = command_read(dir, err);
    if (!build->exec)
        return NULL;
    if (build_source_read(&build->source, &path, 1, err) < 0 ||
        build_fingerprint(build->fingerprint, err) < 0)
        return NULL;
    source_hash(&build->source, build->hash);
    build->diagnostics = json_array();
    build->target = mem_dup_str(host ? host : "");
    build->ready = true;
    return take_ptr(build);
}
