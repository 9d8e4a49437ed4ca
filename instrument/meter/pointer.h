/* pointer: closed control flow for function pointers (contract 2.8).
 *
 * A function pointer's value is 16 * index, 0 is null. In IR the address of f
 * is the symbol `I.f`, a constant {code, type id, index} of 16-byte alignment;
 * at the link (table.h) it becomes the number, and the constant one entry of
 * `__bout_table`. So the IR linker follows address uses by itself.
 *
 * An indirect call masks the value, compares the entry's type id and calls the
 * entry's code; another type, an empty entry or null is a trap. Type ids are
 * interned by the printed function type and the extension of its small
 * integers: the library's in its manifest, a bot's after them. No check is
 * charged: it is put in after the charges.
 */
#pragma once

#include "instrument/meter/manifest.h"
#include "runner/base/err.h"

#include <llvm-c/Core.h>

#define POINTER_PREFIX "I."
#define POINTER_TABLE "__bout_table"
#define POINTER_TABLE_ENTRIES (1u << 14)
#define POINTER_ENTRY_BYTES 16u

/* Replaces every use of a function other than a direct call by its own type by
 * the use of its `I.f`. A native (`__bout_*`) has no address: ERR_SYSTEM. */
int pointer_take(LLVMModuleRef module, struct err *err);

/* Declares the `I.f` of a function, if it has none yet, and returns it. */
LLVMValueRef pointer_declare(LLVMModuleRef module, LLVMValueRef function);

/* Defines the `I.f` of every function with a body that has one declared, with
 * the next free index: manifest->indices, which is counted up. It may pass
 * POINTER_TABLE_ENTRIES: the caller looks. */
void pointer_define(LLVMModuleRef module, struct manifest *manifest);

/* Puts the check before every indirect call. After place_module. */
void pointer_check(LLVMModuleRef module, struct manifest *manifest);

/* {ptr, i64, i64}: the type of an `I.f`. */
LLVMTypeRef pointer_entry_type(LLVMContextRef context);
