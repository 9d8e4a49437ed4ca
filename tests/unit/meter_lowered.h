/* lowered: a pass over a module that is written as text, and what is left. */
#pragma once

#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"
#include "tests/unit/meter_text.h"

typedef int pass(LLVMModuleRef module, struct err *err);

static inline LLVMModuleRef lowered(const char *text, pass *run)
{
    LLVMModuleRef module = meter_parse(LLVMGetGlobalContext(), text);
    struct err err = {0};

    if (run(module, &err) < 0)
        fail_msg("%s", err.msg);
    meter_assert_sound(module);
    return module;
}

static inline size_t count_opcode(LLVMModuleRef module, LLVMOpcode opcode)
{
    auto_ir_list struct ir_list all = {0};
    size_t count = 0;

    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++)
        count += LLVMGetInstructionOpcode(all.at[i]) == opcode;
    return count;
}

static inline size_t count_calls(LLVMModuleRef module, const char *name)
{
    auto_ir_list struct ir_list all = {0};
    size_t count = 0;

    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++)
        count += ir_is_call_of(all.at[i], name);
    return count;
}
