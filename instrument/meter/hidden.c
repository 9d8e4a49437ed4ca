#include "instrument/meter/hidden.h"

#include "instrument/meter/ir.h"

#include <stdbool.h>

static bool is_hidden(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(type) == IR_HIDDEN_SPACE;
}

/* Which operand of a load or store is its address; -1 for all else. */
static int address_operand(LLVMValueRef inst)
{
    if (LLVMIsALoadInst(inst))
        return 0;
    return LLVMIsAStoreInst(inst) ? 1 : -1;
}

static LLVMValueRef read_base(LLVMBuilderRef builder, LLVMValueRef function,
                              uint64_t fixed)
{
    LLVMContextRef context = ir_context_of(function);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);

    if (fixed)
        return LLVMConstIntToPtr(ir_i64(context, fixed), ir_ptr(context));
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    return ir_call_intrinsic(builder, "llvm.thread.pointer", NULL, 0, NULL, 0);
}

/* base + the offset that the constant `address` is. */
static LLVMValueRef build_address(LLVMBuilderRef builder, LLVMValueRef base,
                                  LLVMValueRef address)
{
    LLVMContextRef context = ir_context_of(base);
    LLVMValueRef offset =
        LLVMConstPtrToInt(address, LLVMInt64TypeInContext(context));

    return LLVMBuildGEP2(builder, LLVMInt8TypeInContext(context), base, &offset,
                         1, "");
}

static int place_function(LLVMBuilderRef builder, LLVMValueRef function,
                          uint64_t fixed, struct err *err)
{
    auto_ir_list struct ir_list all = {0};
    LLVMValueRef base = NULL;

    ir_instructions(function, &all);
    for (size_t i = 0; i < all.count; i++) {
        int address = address_operand(all.at[i]);

        for (int k = 0; k < LLVMGetNumOperands(all.at[i]); k++) {
            LLVMValueRef operand = LLVMGetOperand(all.at[i], (unsigned)k);

            if (!is_hidden(operand))
                continue;
            if (k != address || !LLVMIsConstant(operand))
                return err_set(err, ERR_SYSTEM,
                               "%s uses hidden memory by another way than a "
                               "load or store",
                               ir_name(function));
            if (!base)
                base = read_base(builder, function, fixed);
            ir_at(builder, all.at[i]);
            LLVMSetOperand(all.at[i], (unsigned)k,
                           build_address(builder, base, operand));
        }
    }
    return 0;
}

int hidden_place(LLVMModuleRef module, uint64_t fixed, struct err *err)
{
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (ir_is_body(f) && place_function(builder, f, fixed, err) < 0)
            return -1;
    return 0;
}
