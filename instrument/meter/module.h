/* module: reading, linking, running passes over and writing LLVM modules. The
 * one place where LLVM's out-strings, ownership rules and fatal errors are met.
 *
 * Every context here discards the names of local values, so they can be in no
 * output. A module lives as long as its context: release modules first.
 */
#pragma once

#include "runner/base/err.h"

#include <llvm-c/Core.h>
#include <stddef.h>
#include <stdint.h>

/* A fresh context. Diagnostics of severity error are kept for the next failing
 * call of this file; the rest is dropped. Free with module_context_free. */
LLVMContextRef module_context_new(void);
void module_context_free(LLVMContextRef *context);
#define auto_module_context __attribute__((cleanup(module_context_free)))

void module_release(LLVMModuleRef *module);
#define auto_module __attribute__((cleanup(module_release)))

/* Reads a bitcode file; NULL on failure, ERR_INPUT if it is not bitcode. */
LLVMModuleRef module_read(LLVMContextRef context, const char *path,
                          struct err *err);
/* The same, function bodies read when somebody needs them. */
LLVMModuleRef module_open(LLVMContextRef context, const char *path,
                          struct err *err);

/* Reads `count` files and links them in this order to one module. */
LLVMModuleRef module_read_all(LLVMContextRef context, char *const *paths,
                              size_t count, struct err *err);

/* Links *source into `module` and takes it (*source is NULL afterwards). */
int module_link(LLVMModuleRef module, LLVMModuleRef *source, struct err *err);

/* New pass manager text, for example "globaldce". */
int module_run(LLVMModuleRef module, const char *passes, struct err *err);

int module_verify(LLVMModuleRef module, struct err *err);

/* A native stack frame over the size that frame_watch asked code generation to
 * report. */
struct module_frame {
    char *name; /* the function's symbol */
    uint64_t bytes;
};

/* The i-th that was reported in the module's context, NULL behind the last. */
const struct module_frame *module_frame(LLVMModuleRef module, size_t i);

/* Replaces the file as a whole. */
int module_write(LLVMModuleRef module, const char *path, struct err *err);
