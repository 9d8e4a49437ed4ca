/* refuse_internal: the parts of refuse.c, each a walk over the module. */
#pragma once

#include "instrument/meter/ir.h"
#include "instrument/meter/refuse.h"

/* A set of types and constants that were looked at. */
struct refuse_seen {
    const void **slot;
    size_t count;
    size_t capacity; /* a power of two */
};

void refuse_seen_release(struct refuse_seen *seen);
/* True if it was new. */
bool refuse_seen_add(struct refuse_seen *seen, const void *thing);

/* One walk over one module. */
struct refuse {
    LLVMModuleRef module;
    struct refusals *refusals;
    struct refuse_seen types;
    struct refuse_seen constants;
};

/* Adds a refusal at an instruction, or where a global is defined or first
 * used. */
void refuse_at(struct refuse *refuse, LLVMValueRef value, const char *format,
               ...) __attribute__((format(printf, 3, 4)));

/* refuse_type.c: types, and constants through and through. */
void refuse_type(struct refuse *refuse, LLVMTypeRef type, LLVMValueRef at);
void refuse_constant(struct refuse *refuse, LLVMValueRef constant,
                     LLVMValueRef at);

/* refuse_symbol.c: names, definitions, what is not defined. */
void refuse_symbols(struct refuse *refuse);

/* refuse_code.c: functions and their instructions. */
void refuse_code(struct refuse *refuse);
