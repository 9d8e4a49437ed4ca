/* refuse: what a bot's module may not hold (contract 2.7), as allow-lists.
 *
 * A refusal is about the contestant's program: file, line where LLVM keeps one,
 * and a sentence that says what to do instead. At most REFUSE_MAX are kept.
 */
#pragma once

#include "instrument/meter/intrinsic.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stddef.h>

#define REFUSE_MAX 50

struct refusal {
    char *file;    /* "" when unknown */
    unsigned line; /* 0 when unknown */
    char *message;
};

struct refusals {
    /* Set by the caller: does the metered library define this symbol? */
    bool (*library_defines)(void *context, const char *name);
    void *context;

    struct refusal at[REFUSE_MAX];
    size_t count;
};

void refusals_release(struct refusals *refusals);
#define auto_refusals __attribute__((cleanup(refusals_release)))

/* Adds one; equal file, line and message are kept once. */
void refuse_add(struct refusals *refusals, const char *file, unsigned line,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Looks through a bot's linked module, before lowering; changes nothing.
 * refusals->count is 0 afterwards if it may be built. */
void refuse_module(LLVMModuleRef module, struct refusals *refusals);

/* One file of a program before it is linked. */
struct refuse_unit {
    LLVMModuleRef module;
    const char *file; /* borrowed */
};

/* What two files define and only one may. */
void refuse_twice(const struct refuse_unit *unit, size_t count,
                  struct refusals *refusals);

/* Where `instruction` comes from, its innermost inlined place: borrowed, in the
 * module; *line 0 and "" if unknown. */
void refuse_place(LLVMValueRef instruction, const char **file, size_t *size,
                  unsigned *line);
