#include "runner/build/toolchain.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/build.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANIFEST_MAX_BYTES (64u << 20)

static const char *const targets[] = {"x86_64", "aarch64"};

const char *toolchain_host_target(void)
{
#if defined(__x86_64__)
    return targets[0];
#elif defined(__aarch64__)
    return targets[1];
#else
    return NULL;
#endif
}

bool toolchain_is_target(const char *target)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (!strcmp(target, targets[i]))
            return true;
    }
    return false;
}

void toolchain_release(struct toolchain *toolchain)
{
    free(toolchain->library);
    free(toolchain->headers);
    free(toolchain->meter);
    *toolchain = (struct toolchain){0};
}

/* A file that belongs to the program: beside it, or, for a program one folder
 * deeper (the tests), beside its folder. NULL without a word if in neither. */
static char *find_beside(const char *folder, const char *name)
{
    auto_free char *beside = mem_format("%s/%s", folder, name);
    auto_free char *above = mem_format("%s/../%s", folder, name);

    if (io_exists(beside))
        return take_ptr(beside);
    /* The box mounts it by this path: no ".." may be left. */
    return io_exists(above) ? realpath(above, NULL) : NULL;
}

static char *find_part(const char *variable, const char *name, struct err *err)
{
    const char *given = getenv(variable);

    if (given && *given) {
        char *path = realpath(given, NULL);
        if (!path)
            err_set(err, ERR_SYSTEM, "%s=%s: no such file", variable, given);
        return path;
    }
    auto_free char *folder = io_program_folder(err);
    char *found = folder ? find_beside(folder, name) : NULL;
    if (folder && !found)
        err_set(err, ERR_SYSTEM,
                "%s/%s is missing: run make, or name it with %s", folder, name,
                variable);
    return found;
}

char *build_library_folder(struct err *err)
{
    return find_part("BOUT_LIBRARY", "library", err);
}

char *toolchain_unpack(struct err *err)
{
    return find_part("BOUT_UNPACK", "bout-unpack", err);
}

static int read_library_hash(struct toolchain *toolchain, struct err *err)
{
    auto_free char *path = mem_format("%s/manifest.json", toolchain->library);
    auto_buf struct buf text = {0};

    if (io_read_file(path, MANIFEST_MAX_BYTES, &text, err) < 0) {
        err->kind = ERR_SYSTEM;
        return err_wrap(err, "the metered library (make library builds it)");
    }
    json_t *manifest = json_loadb(text.data, text.size, 0, NULL);
    const char *hash = json_string_value(json_object_get(manifest, "module"));
    bool good = hash && strlen(hash) == HASH_HEX_SIZE - 1;
    if (good)
        memcpy(toolchain->library_hash, hash, HASH_HEX_SIZE);
    json_decref(manifest);
    if (!good)
        return err_set(err, ERR_SYSTEM,
                       "%s holds no module hash: run make library", path);
    return 0;
}

void toolchain_set_strict_nan(void)
{
    /* By the command line, before there is another thread. */
    setenv(TOOLCHAIN_STRICT_NAN, "true", 1); // NOLINT(concurrency-mt-unsafe)
}

void toolchain_set_build_seconds(const char *seconds)
{
    setenv(TOOLCHAIN_BUILD_SECONDS, seconds, 1);
}

/* As the command line reads a flag of the environment. */
static bool find_strict_nan(void)
{
    const char *given = getenv(TOOLCHAIN_STRICT_NAN);

    return given && *given && strcmp(given, "0") != 0 &&
           strcmp(given, "false") != 0;
}

int toolchain_find(struct toolchain *toolchain, struct err *err)
{
    toolchain->strict_nan = find_strict_nan();
    toolchain->library = build_library_folder(err);
    if (!toolchain->library)
        return -1;
    toolchain->headers = mem_format("%s/include", toolchain->library);
    toolchain->meter = find_part("BOUT_METER", "bout-meter", err);
    if (!toolchain->meter)
        return -1;
    if (!io_exists(TOOLCHAIN_CLANG) || !io_exists(TOOLCHAIN_LLD))
        return err_set(err, ERR_SYSTEM,
                       "%s or %s is missing: install clang-19 and lld-19",
                       TOOLCHAIN_CLANG, TOOLCHAIN_LLD);
    return read_library_hash(toolchain, err);
}
