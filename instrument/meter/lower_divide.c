/* Integer division, the same on every CPU: by zero traps (PAGE_TRAP_DIVIDE),
 * and the smallest number by -1 wraps to itself, remainder 0.
 */
#include "instrument/bot/page.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

static bool is_division(LLVMValueRef inst)
{
    switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return true;
    default:
        return false;
    }
}

static bool is_signed(LLVMValueRef inst)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);

    return opcode == LLVMSDiv || opcode == LLVMSRem;
}

static bool is_minus_one(LLVMValueRef constant)
{
    return constant == LLVMConstAllOnes(LLVMTypeOf(constant));
}

/* A constant with no lane that is 0 or, if asked, -1. */
static bool is_safe(LLVMValueRef divisor, bool minus_one_too)
{
    if (LLVMIsAConstantInt(divisor))
        return !LLVMIsNull(divisor) &&
               !(minus_one_too && is_minus_one(divisor));
    if (!LLVMIsAConstantDataVector(divisor) && !LLVMIsAConstantVector(divisor))
        return false;
    for (unsigned i = 0; i < ir_lanes(LLVMTypeOf(divisor)); i++) {
        LLVMValueRef lane = LLVMGetAggregateElement(divisor, i);

        if (!lane || !is_safe(lane, minus_one_too))
            return false;
    }
    return true;
}

/* One bit: is any lane of the divisor 0? */
static LLVMValueRef any_zero(LLVMBuilderRef builder, LLVMValueRef divisor)
{
    LLVMTypeRef type = LLVMTypeOf(divisor);
    LLVMValueRef zero = LLVMConstNull(type);
    LLVMValueRef is_zero = LLVMBuildICmp(builder, LLVMIntEQ, divisor, zero, "");
    LLVMTypeRef lanes = LLVMTypeOf(is_zero);

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return is_zero;
    return ir_call_intrinsic(builder, "llvm.vector.reduce.or", &lanes, 1,
                             &is_zero, 1);
}

static void trap_on_zero(LLVMBuilderRef builder, LLVMValueRef inst)
{
    LLVMBasicBlockRef trap = ir_trap_block(inst, PAGE_TRAP_DIVIDE);
    LLVMBasicBlockRef head = ir_split_before(inst);
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(inst);

    ir_at_end(builder, head, inst);
    LLVMValueRef zero = any_zero(builder, LLVMGetOperand(inst, 1));
    ir_set_unlikely(LLVMBuildCondBr(builder, zero, trap, rest));
}

/* Divides by 1 instead of -1, and negates the quotient. */
static void wrap_minus_one(LLVMBuilderRef builder, LLVMValueRef inst)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMValueRef dividend = LLVMGetOperand(inst, 0);
    LLVMValueRef divisor = LLVMGetOperand(inst, 1);

    ir_at(builder, inst);
    LLVMValueRef is_minus =
        LLVMBuildICmp(builder, LLVMIntEQ, divisor, LLVMConstAllOnes(type), "");
    divisor =
        LLVMBuildSelect(builder, is_minus, ir_number(type, 1), divisor, "");
    LLVMValueRef value = LLVMBuildBinOp(builder, opcode, dividend, divisor, "");
    if (opcode == LLVMSDiv)
        value = LLVMBuildSelect(builder, is_minus,
                                LLVMBuildNeg(builder, dividend, ""), value, "");
    ir_replace(inst, value);
}

int lower_divide(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    (void)err;
    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (!is_division(all.at[i]))
            continue;
        LLVMValueRef divisor = LLVMGetOperand(all.at[i], 1);
        if (!is_safe(divisor, false))
            trap_on_zero(builder, all.at[i]);
        if (is_signed(all.at[i]) && !is_safe(divisor, true))
            wrap_minus_one(builder, all.at[i]);
    }
    return 0;
}
