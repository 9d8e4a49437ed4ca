/* emit: machine code from a charged module. Nothing that is counted is decided
 * here; each target is a row of a table. */
#pragma once

#include "runner/base/err.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* 0 if `target` (x86_64, aarch64, a test's) is one that code can be generated
 * for. */
int emit_check_target(const char *target, struct err *err);

/* Whether it has linker scripts, which place precompiled code; else all code is
 * generated at each link, and names no symbol of hidden memory (windows.h). */
bool emit_has_script(const char *target);

struct emit_spec {
    const char *target;
    bool is_plain; /* for tests: no optimisation, frames as large as they get */
};

/* Writes a relocatable object; ERR_INPUT if a function needs too much native
 * stack (frame.h). Changes the module: target, attributes that only code
 * generation reads; debug info becomes line tables, which say where a program
 * crashed, and changes no instruction. */
int emit_object(LLVMModuleRef module, const struct emit_spec *spec,
                const char *path, struct err *err);

/* Each function in a section of its own that a definition elsewhere overrides:
 * for the library's precompiled code. */
void emit_separate_functions(LLVMModuleRef module);
