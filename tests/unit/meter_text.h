/* meter_text: modules for the meter's unit tests, written as LLVM assembly. */
#pragma once

#include "instrument/meter/module.h"

#include "runner/base/buf.h"

#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

#define METER_TEXT_LAYOUT                                          \
    "target datalayout = \"e-m:e-Fn32-i64:64-i128:128-n32:64-S128" \
    "-v256:256:256-v512:512:512\"\n"

/* The module that `text` says; fails the test if it is none. */
static inline LLVMModuleRef meter_parse(LLVMContextRef context,
                                        const char *text)
{
    char *all = mem_format(METER_TEXT_LAYOUT "%s", text);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(all, strlen(all), "text");
    LLVMModuleRef module = NULL;
    char *why = NULL;

    free(all);
    LLVMContextSetDiscardValueNames(context, false); /* the parser needs them */
    if (LLVMParseIRInContext(context, buffer, &module, &why))
        fail_msg("%s", why);
    LLVMContextSetDiscardValueNames(context, true);
    return module;
}

static inline void meter_assert_sound(LLVMModuleRef module)
{
    struct err err;

    if (module_verify(module, &err) < 0)
        fail_msg("%s", err.msg);
}
