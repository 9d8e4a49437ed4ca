#include "instrument/meter/skeleton.h"

#include "instrument/meter/ir.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Adds the globals below a constant that are not in the list yet. */
static void collect(LLVMValueRef value, struct ir_list *out)
{
    if (!LLVMIsAConstant(value))
        return;
    if (LLVMIsAGlobalValue(value)) {
        for (size_t i = 0; i < out->count; i++)
            if (out->at[i] == value)
                return;
        ir_list_add(out, value);
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        collect(LLVMGetOperand(value, (unsigned)i), out);
}

static void collect_mentioned(const struct ir_list *body, struct ir_list *out)
{
    for (size_t i = 0; i < body->count; i++)
        for (int k = 0; k < LLVMGetNumOperands(body->at[i]); k++) {
            LLVMValueRef operand = LLVMGetOperand(body->at[i], (unsigned)k);

            if (!ir_intrinsic(body->at[i]) || !LLVMIsAFunction(operand))
                collect(operand, out);
        }
}

static void erase_body(LLVMValueRef function, const struct ir_list *body)
{
    for (size_t i = 0; i < body->count; i++) {
        LLVMTypeRef type = LLVMTypeOf(body->at[i]);

        if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
            LLVMReplaceAllUsesWith(body->at[i], LLVMGetPoison(type));
    }
    for (size_t i = 0; i < body->count; i++)
        LLVMInstructionEraseFromParent(body->at[i]);
    while (LLVMCountBasicBlocks(function))
        LLVMDeleteBasicBlock(LLVMGetLastBasicBlock(function));
}

static void mention_all(LLVMBuilderRef builder, LLVMValueRef function,
                        const struct ir_list *mentioned)
{
    LLVMTypeRef ptr = ir_ptr(ir_context_of(function));

    LLVMPositionBuilderAtEnd(builder, ir_append_block(function));
    for (size_t i = 0; i < mentioned->count; i++)
        LLVMBuildStore(builder, mentioned->at[i], LLVMConstNull(ptr));
    LLVMBuildUnreachable(builder);
}

void skeleton_make(LLVMModuleRef module)
{
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (!ir_is_body(f))
            continue;
        auto_ir_list struct ir_list body = {0};
        auto_ir_list struct ir_list mentioned = {0};

        ir_instructions(f, &body);
        collect_mentioned(&body, &mentioned);
        erase_body(f, &body);
        mention_all(builder, f, &mentioned);
    }
}
