/* manifest: what a bot's toolchain must know of the metered library without
 * reading its code; DIR/manifest.json.
 *
 *     {"module":"<sha-256 of lib.bc's canonical form>",
 *      "indices":N,        table indices used: the bot's begin at N
 *      "types":["i32 (ptr)",...],     type ids: 1 is the first
 *      "placement":"chords",
 *      "functions":[{"symbol","index","unwinds","through","tail","head",
 *                    "tolerance","checks","stops"},...],     index 0: none
 *      "data":["stdout",...], "aliases":{"name":"symbol",...}}
 *
 * Strings belong to the manifest. Found by name, so order is free in memory and
 * fixed in the file.
 */
#pragma once

#include "instrument/meter/flow.h"
#include "instrument/meter/placement.h"
#include "runner/base/err.h"
#include "runner/base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct manifest_symbol {
    char *name;
    char *target;                /* an alias's, else NULL */
    bool is_function;            /* of a definition */
    uint32_t index;              /* in the function table; 0: none */
    bool unwinds;                /* an exception may leave it */
    struct flow_summary summary; /* of a function */
};

struct manifest {
    char module_hash[HASH_HEX_SIZE];
    uint32_t indices;
    enum placement placement;
    char **types;
    size_t type_count, type_capacity;
    struct manifest_symbol *symbols;
    size_t symbol_count, symbol_capacity;
    bool sorted;
};

void manifest_release(struct manifest *manifest);
#define auto_manifest __attribute__((cleanup(manifest_release)))

int manifest_read(struct manifest *manifest, const char *path, struct err *err);
int manifest_write(const struct manifest *manifest, const char *path,
                   struct err *err);

/* Adds a symbol; the strings are copied. The result is valid until the next. */
struct manifest_symbol *manifest_add(struct manifest *manifest,
                                     const char *name);

/* The definition that `name` stands for, aliases followed; NULL if none. */
const struct manifest_symbol *manifest_find(struct manifest *manifest,
                                            const char *name);

/* The id of a function type by its key, added at the end if it is new. */
uint32_t manifest_type(struct manifest *manifest, const char *key);
