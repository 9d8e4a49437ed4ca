/* toolchain: where the tools and the metered library are.
 *
 * Found once for each build. The caller owns it until toolchain_release.
 */
#pragma once

#include "runner/base/err.h"
#include "runner/base/hash.h"

#include <stdbool.h>

/* Debian's packages clang-19, lld-19. Seen at the same place inside a box. */
#define TOOLCHAIN_LLVM "/usr/lib/llvm-19"
#define TOOLCHAIN_CLANG TOOLCHAIN_LLVM "/bin/clang"
#define TOOLCHAIN_LLD TOOLCHAIN_LLVM "/bin/ld.lld"

struct toolchain {
    char *library;                    /* folder: lib.lazy.bc, include/, ... */
    char *headers;                    /* its include/ */
    char *meter;                      /* the program bout-meter */
    char library_hash[HASH_HEX_SIZE]; /* of the charged library module */
    bool strict_nan; /* the setting: NaNs' bits equal on every target */
};

/* The setting `strict_nan` (contract 2.1, 2.9) holds for a process and those
 * that it starts: in the environment, as BOUT_STRICT_NAN, from where all builds
 * take it. Before threads. */
#define TOOLCHAIN_STRICT_NAN "BOUT_STRICT_NAN"
void toolchain_set_strict_nan(void);

/* The setting `build_seconds`, 1 to 86,400: how much processor time the tools
 * may take for a build that is asked for here; in the environment likewise.
 * What is built does not depend on it. */
#define TOOLCHAIN_BUILD_SECONDS "BOUT_BUILD_SECONDS"
#define TOOLCHAIN_BUILD_SECONDS_MAX 86400
void toolchain_set_build_seconds(const char *seconds);

/* ERR_SYSTEM with what to do when a part is missing. */
int toolchain_find(struct toolchain *toolchain, struct err *err);
void toolchain_release(struct toolchain *toolchain);
#define auto_toolchain __attribute__((cleanup(toolchain_release)))

/* The program bout-unpack, to be freed; NULL: ERR_SYSTEM. */
char *toolchain_unpack(struct err *err);

/* "x86_64", "aarch64": the host's name among our targets; NULL: none. */
const char *toolchain_host_target(void);
/* Whether `target` is a name of ours at all. */
bool toolchain_is_target(const char *target);
