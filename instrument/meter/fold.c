#include "instrument/meter/fold.h"

#include <stdbool.h>
#include <stddef.h>

/* The variable of such a loop, all of it constants. */
struct variable {
    unsigned bits;
    uint64_t start, step, bound;
    LLVMIntPredicate predicate; /* of the variable with the bound */
    bool is_stepped;            /* it is compared after the step */
    bool stays_if; /* the comparison's result that runs the block again */
};

static bool take_constant(LLVMValueRef value, uint64_t *number)
{
    LLVMValueRef constant = LLVMIsAConstantInt(value);

    if (constant)
        *number = LLVMConstIntGetZExtValue(constant);
    return constant;
}

/* The same constant from wherever the loop is entered. */
static bool take_start(LLVMValueRef phi, LLVMBasicBlockRef block,
                       LLVMValueRef stepped, struct variable *variable)
{
    bool found = false;

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        uint64_t start;

        if (LLVMGetIncomingBlock(phi, i) == block) {
            if (value != stepped)
                return false;
            continue;
        }
        if (!take_constant(value, &start) ||
            (found && start != variable->start))
            return false;
        variable->start = start;
        found = true;
    }
    return found;
}

/* `value` is the variable, or the variable after its step. */
static bool take_variable(LLVMValueRef value, LLVMBasicBlockRef block,
                          struct variable *variable)
{
    LLVMValueRef stepped = NULL;
    LLVMValueRef phi = LLVMIsAPHINode(value);

    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    variable->bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    if (phi) {
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMGetIncomingBlock(phi, i) == block)
                stepped = LLVMGetIncomingValue(phi, i);
    } else {
        stepped = value;
        variable->is_stepped = true;
    }
    if (!stepped || !LLVMIsABinaryOperator(stepped) ||
        LLVMGetInstructionOpcode(stepped) != LLVMAdd ||
        !take_constant(LLVMGetOperand(stepped, 1), &variable->step))
        return false;
    if (!phi)
        phi = LLVMIsAPHINode(LLVMGetOperand(stepped, 0));
    return phi && LLVMGetOperand(stepped, 0) == phi &&
           LLVMGetInstructionParent(phi) == block &&
           take_start(phi, block, stepped, variable);
}

static bool take_loop(LLVMBasicBlockRef block, struct variable *variable)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return false;
    bool first = LLVMGetSuccessor(end, 0) == block;
    if (first == (LLVMGetSuccessor(end, 1) == block))
        return false; /* both or none */
    variable->stays_if = first;
    LLVMValueRef compare = LLVMIsAICmpInst(LLVMGetCondition(end));
    if (!compare || LLVMGetInstructionParent(compare) != block)
        return false;
    variable->predicate = LLVMGetICmpPredicate(compare);
    return take_constant(LLVMGetOperand(compare, 1), &variable->bound) &&
           take_variable(LLVMGetOperand(compare, 0), block, variable);
}

static bool holds(const struct variable *variable, uint64_t a)
{
    unsigned shift = 64 - variable->bits;
    uint64_t b = variable->bound << shift;

    a <<= shift;
    switch (variable->predicate) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
        return a > b;
    case LLVMIntUGE:
        return a >= b;
    case LLVMIntULT:
        return a < b;
    case LLVMIntULE:
        return a <= b;
    case LLVMIntSGT:
        return (int64_t)a > (int64_t)b;
    case LLVMIntSGE:
        return (int64_t)a >= (int64_t)b;
    case LLVMIntSLT:
        return (int64_t)a < (int64_t)b;
    case LLVMIntSLE:
        return (int64_t)a <= (int64_t)b;
    default:
        return false;
    }
}

uint64_t fold_times(LLVMBasicBlockRef block, uint64_t most)
{
    struct variable variable = {0};

    if (!take_loop(block, &variable))
        return 0;
    uint64_t now = variable.start;
    for (uint64_t times = 1; times <= most; times++) {
        uint64_t next = now + variable.step;

        if (holds(&variable, variable.is_stepped ? next : now) !=
            variable.stays_if)
            return times < 2 ? 0 : times;
        now = next;
    }
    return 0;
}
