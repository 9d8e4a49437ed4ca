/* ir: what LLVM-C leaves out for a pass writer: lists, block splitting, calls
 * rebuilt like another, constants, and the hidden globals.
 *
 * Nothing here but ir_drop_dead fails: a wrong argument is a broken promise.
 * Passes collect first (ir_bodies, ir_instructions, ir_users) and change
 * afterwards, so that no iteration walks what it changes.
 */
#pragma once

#include "runner/base/err.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing list of values. Start it as {0} and declare it auto_ir_list. */
struct ir_list {
    LLVMValueRef *at;
    size_t count;
    size_t capacity;
};

void ir_list_add(struct ir_list *list, LLVMValueRef value);
void ir_list_clear(struct ir_list *list);
void ir_list_release(struct ir_list *list);
#define auto_ir_list __attribute__((cleanup(ir_list_release)))

void ir_builder_release(LLVMBuilderRef *builder);
#define auto_ir_builder __attribute__((cleanup(ir_builder_release)))

/* Collectors; each empties `out` first. */
void ir_bodies(LLVMModuleRef module, struct ir_list *out); /* with a body */
void ir_instructions(LLVMValueRef function, struct ir_list *out);
void ir_module_instructions(LLVMModuleRef module, struct ir_list *out);
void ir_users(LLVMValueRef value, struct ir_list *out); /* one for each use */
void ir_call_users(LLVMValueRef function, struct ir_list *out); /* as callee */
/* Where code must stand that runs last: each `ret`, or the musttail call before
 * it, between which and its `ret` nothing may come. */
void ir_exits(LLVMValueRef function, struct ir_list *out);

/* Facts. */
bool ir_is_body(LLVMValueRef function);
bool ir_is_call_of(LLVMValueRef instruction, const char *function);
const char *ir_name(LLVMValueRef value);
/* The name of the intrinsic that `instruction` calls, or NULL. */
const char *ir_intrinsic(LLVMValueRef instruction);
/* "llvm.memcpy" is the base of "llvm.memcpy.p0.p0.i64". */
bool ir_has_base(const char *intrinsic, const char *base);
LLVMModuleRef ir_module_of(LLVMValueRef instruction);
LLVMValueRef ir_function_of(LLVMValueRef instruction);
LLVMContextRef ir_context_of(LLVMValueRef value);
LLVMValueRef ir_first_non_phi(LLVMBasicBlockRef block);
/* Size of a type in bytes in the module's layout; vectors and integers padded.
 */
uint64_t ir_size(LLVMModuleRef module, LLVMTypeRef type);
/* The element type of a vector, the type itself otherwise; lanes is 1 then. */
LLVMTypeRef ir_scalar(LLVMTypeRef type);
unsigned ir_lanes(LLVMTypeRef type);

/* Positions `builder` before `instruction`, with its debug location; where it
 * has none and the function has a subprogram, with that one's line. */
void ir_at(LLVMBuilderRef builder, LLVMValueRef instruction);
void ir_at_end(LLVMBuilderRef builder, LLVMBasicBlockRef block,
               LLVMValueRef location_of);

/* Splits a block: what stands before `instruction` moves to a new block in
 * front, the head, which takes over the predecessors and has no terminator yet;
 * the caller gives it one. `instruction` and what follows stay where they are,
 * so the successors' PHIs stay right. Returns the head. */
LLVMBasicBlockRef ir_split_before(LLVMValueRef instruction);

/* A new block at the function's end. */
LLVMBasicBlockRef ir_append_block(LLVMValueRef function);

/* Replaces all uses of `old` and erases it. */
void ir_replace(LLVMValueRef old, LLVMValueRef with);

/* Moves blocks, name, linkage and the rest of `old` to a new function of
 * another type, parameters matched by position; attributes of those that exist
 * in both are kept. `old` is erased. Returns the new function. */
LLVMValueRef ir_retype(LLVMValueRef old, LLVMTypeRef type);

/* A call built at `builder` like `old`, with other type, callee and arguments;
 * calling convention, attributes of the first `count` arguments and metadata
 * are copied, tail marks are not. `old` stays. */
LLVMValueRef ir_call_like(LLVMBuilderRef builder, LLVMValueRef old,
                          LLVMTypeRef type, LLVMValueRef callee,
                          LLVMValueRef *arguments);

/* Declares `name` unless the module has it, and calls it with these arguments;
 * its type is made from them. */
LLVMValueRef ir_call(LLVMBuilderRef builder, const char *name,
                     LLVMTypeRef result, LLVMValueRef *arguments,
                     unsigned count);
/* Calls an intrinsic that is overloaded on `types`. */
LLVMValueRef ir_call_intrinsic(LLVMBuilderRef builder, const char *base,
                               LLVMTypeRef *types, unsigned type_count,
                               LLVMValueRef *arguments, unsigned count);

LLVMValueRef ir_declare(LLVMModuleRef module, const char *name,
                        LLVMTypeRef type);

/* The word of hidden memory of that name: an i64 in address space 257, defined
 * at link (instrument/bot/page.h, PAGE_HIDDEN_*). */
#define IR_HIDDEN_SPACE 257
LLVMValueRef ir_hidden(LLVMModuleRef module, const char *name);

/* A new cold block at the end of the function of `at`: traps with a reason of
 * enum page_trap (instrument/bot/page.h), at the source place of `at`. */
LLVMBasicBlockRef ir_trap_block(LLVMValueRef at, unsigned page_trap);
/* Says that a conditional branch almost never takes its first way. */
void ir_set_unlikely(LLVMValueRef branch);

/* Applies `each` to the operands' lanes and puts the results together; at once
 * where `result` is no vector. Operands that are no vectors go in as they are.
 */
typedef LLVMValueRef ir_lane(LLVMBuilderRef builder, LLVMTypeRef result,
                             LLVMValueRef *operands, const void *context);
struct ir_lanes_spec {
    LLVMTypeRef result;
    LLVMValueRef *operands;
    unsigned count;
    ir_lane *each;
    const void *context;
};
LLVMValueRef ir_by_lanes(LLVMBuilderRef builder,
                         const struct ir_lanes_spec *spec);

/* Constants and types in a context. */
LLVMValueRef ir_i32(LLVMContextRef context, uint32_t value);
LLVMValueRef ir_i64(LLVMContextRef context, uint64_t value);
LLVMTypeRef ir_ptr(LLVMContextRef context);
/* An integer of any width, sign-extended from 64 bits; a splat for vectors. */
LLVMValueRef ir_number(LLVMTypeRef type, int64_t value);
LLVMValueRef ir_splat(LLVMTypeRef vector, LLVMValueRef element);

/* An alloca in the entry block, of the type, with the alignment in bytes. */
LLVMValueRef ir_entry_alloca(LLVMValueRef function, LLVMTypeRef type,
                             unsigned align_bytes);

/* Takes away what nothing refers to: internal globals, declarations, dead
 * constants that still use a function or block. */
int ir_drop_dead(LLVMModuleRef module, struct err *err);
