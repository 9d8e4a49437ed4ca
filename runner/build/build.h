/* build: from a submission's files to something that can be played.
 *
 * A build is the charged module of a bot, its block table, and the executable
 * made from it for this host. build_make runs each step (clang, bout-meter,
 * ld.lld, scan) in a jailed child of its own. A submission that the toolchain
 * refuses is a `rejected` build with diagnostics, not an err; err means that
 * the toolchain or the machine failed. A build is immutable once made.
 *
 * The .bot file is an uncompressed tar: manifest.json, module.bc, blocks.json,
 * layout.json, source/..., bot.TARGET; trusted like an executable.
 */
#pragma once

#include "runner/base/err.h"
#include "runner/base/hash.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct build_file {
    char *path; /* relative, checked: no "..", no leading "/", no NUL */
    char *bytes;
    size_t size;
};

/* The files of one submission, sorted by path (byte order). */
struct build_source {
    struct build_file *file;
    size_t count;
};

void build_source_release(struct build_source *source);
/* Copies. ERR_INPUT for a bad or repeated path, ERR_TOO_BIG over the caps. */
int build_source_add(struct build_source *source, const char *path,
                     const void *bytes, size_t size, struct err *err);
/* Reads files, folders or one archive as `bout build SRC...` takes them. */
int build_source_read(struct build_source *source, char *const *paths,
                      size_t count, struct err *err);

struct build {
    bool ready;                      /* else rejected */
    bool made_here;                  /* by build_make, not read from a file */
    char hash[HASH_HEX_SIZE];        /* of the charged module and library */
    char fingerprint[HASH_HEX_SIZE]; /* of the toolchain */
    char *target;                    /* "x86_64" */
    json_t
        *exec; /* NULL, or of a referee in any language: the array of its
                  command; then `source` is its folder and nothing is built */
    json_t *diagnostics; /* [{file, line, severity, message}] */
    struct build_source source;
    char *module; /* module.bc */
    size_t module_size;
    json_t *blocks; /* blocks.json of the bot */
    json_t *layout; /* layout.json */
    char *elf;      /* the executable */
    size_t elf_size;
    uint64_t counters_count; /* from the layout */
    uint64_t data_bytes;
    int elf_fd; /* -1, or what build_elf_fd made */
};

void build_free(struct build *build);
void build_cleanup(struct build **build);
#define auto_build __attribute__((cleanup(build_cleanup)))

/* Makes a build for this host from source. `target` NULL means the host's. */
struct build *build_make(const struct build_source *source, const char *target,
                         struct err *err);

/* The same build for another target: its module is linked anew. ERR_INPUT if it
 * was made by another toolchain than the installed one. */
struct build *build_retarget(const struct build *build, const char *target,
                             struct err *err);

/* A referee: `dir` holds the game's .c files; runner/game.h and the referee
 * runtime are added, from the folder `runtime` (or the one above `dir`, if it
 * has them). Same toolchain, same refusals. Or `dir` has a game.json,
 * {"exec": [PROGRAM, ARGUMENT...]}: the command, run in the folder, is the
 * referee (runner/match/exec.h); its hash is SHA-256 over the folder's files.
 *
 * Maps as data: the .map files of dir/maps are there for #include as maps/NAME.
 * Those of the folder `hidden` (NULL, or it need not be there) come too, as
 * maps/hidden_1.map and so on in the order of their names: what a service plays
 * on and shows nobody.
 */
#define BUILD_GAME_JSON "game.json"
struct build *build_make_game(const char *dir, const char *runtime,
                              const char *hidden, struct err *err);

/* The .bot file. build_open takes the path of a .bot; ERR_INPUT names a member
 * that is not what the manifest says. */
int build_save(const struct build *build, const char *path, struct err *err);
struct build *build_open(const char *path, struct err *err);

/* Whether a path is one of a .bot file, by its ending. */
bool build_is_bot(const char *path);

/* A .bot is opened, and linked anew if it is for another target than this
 * machine's; anything else is a source and is built (a rejected build is
 * ERR_INPUT here, with the first diagnostic in the message). */
struct build *build_open_or_make(const char *path, struct err *err);

/* {"status","build","fingerprint","target","file","diagnostics"}: contract
 * section 6. New reference. */
json_t *build_report(const struct build *build, const char *file);

/* A sealed memfd of the executable, made once and kept with the build: borrowed
 * by the caller. -1 on failure. */
int build_elf_fd(struct build *build, struct err *err);

/* ~/.cache/bout/builds/HASH.bot: where `build` and `play` keep builds. A build
 * that was not made here is passed over: whoever wrote its file could claim any
 * hash for it, and `replay --verify` believes what the cache says. */
int build_cache_put(const struct build *build, struct err *err);
struct build *build_cache_get(const char *hash, struct err *err);
/* That folder, which may not be there yet: $BOUT_CACHE, $XDG_CACHE_HOME/bout or
 * ~/.cache/bout, with /builds. To be freed. */
char *build_cache_folder(struct err *err);

/* The toolchain's fingerprint (contract 2.9), hex. */
int build_fingerprint(char out[HASH_HEX_SIZE], struct err *err);

/* build/library beside the program, or $BOUT_LIBRARY. To be freed. */
char *build_library_folder(struct err *err);
