/* Undef and poison to 0, in operands and in initial data; freeze, which has no
 * work left then, to its operand; open lanes of a shuffle to its own lanes.
 */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

static bool is_aggregate(LLVMValueRef constant)
{
    return LLVMIsAConstantStruct(constant) || LLVMIsAConstantArray(constant) ||
           LLVMIsAConstantVector(constant);
}

static LLVMValueRef rebuilt(LLVMValueRef old, LLVMValueRef *members,
                            unsigned count)
{
    LLVMTypeRef type = LLVMTypeOf(old);

    if (LLVMIsAConstantVector(old))
        return LLVMConstVector(members, count);
    if (LLVMIsAConstantArray(old))
        return LLVMConstArray2(LLVMGetElementType(type), members, count);
    if (LLVMIsLiteralStruct(type))
        return LLVMConstStructInContext(LLVMGetTypeContext(type), members,
                                        count, LLVMIsPackedStruct(type));
    return LLVMConstNamedStruct(type, members, count);
}

/* `constant` without undef; the same pointer if it has none. */
static LLVMValueRef defined(LLVMValueRef constant)
{
    if (LLVMIsUndef(constant))
        return LLVMConstNull(LLVMTypeOf(constant));
    if (!is_aggregate(constant))
        return constant;

    unsigned count = (unsigned)LLVMGetNumOperands(constant);
    auto_free LLVMValueRef *members = mem_calloc(count + 1, sizeof *members);
    LLVMValueRef last = NULL; /* long arrays mostly repeat one member */
    bool changed = false;

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef member = LLVMGetOperand(constant, i);

        members[i] = member == last ? members[i - 1] : defined(member);
        changed |= members[i] != member;
        last = member;
    }
    return changed ? rebuilt(constant, members, count) : constant;
}

static void define_globals(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g)) {
        LLVMValueRef old = LLVMGetInitializer(g);

        if (old && defined(old) != old)
            LLVMSetInitializer(g, defined(old));
    }
}

static void define_operands(LLVMValueRef inst)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        LLVMValueRef old = LLVMGetOperand(inst, i);

        if (!old || !LLVMIsConstant(old) || LLVMIsAGlobalValue(old))
            continue;
        LLVMValueRef new = defined(old);
        if (new != old)
            LLVMSetOperand(inst, i, new);
    }
}

/* An open lane takes the lane of the first operand that stands there already,
 * which costs no target anything. */
static void define_shuffle(LLVMBuilderRef builder, LLVMValueRef inst)
{
    unsigned count = LLVMGetNumMaskElements(inst);
    unsigned lanes = ir_lanes(LLVMTypeOf(LLVMGetOperand(inst, 0)));
    LLVMContextRef context = ir_context_of(inst);
    auto_free LLVMValueRef *mask = mem_calloc(count, sizeof *mask);
    bool changed = false;

    for (unsigned i = 0; i < count; i++) {
        int lane = LLVMGetMaskValue(inst, i);

        changed |= lane < 0;
        if (lane < 0)
            lane = i < lanes ? (int)i : 0;
        mask[i] = ir_i32(context, (uint32_t)lane);
    }
    if (!changed)
        return;
    ir_at(builder, inst);
    ir_replace(inst, LLVMBuildShuffleVector(builder, LLVMGetOperand(inst, 0),
                                            LLVMGetOperand(inst, 1),
                                            LLVMConstVector(mask, count), ""));
}

int lower_undef(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    (void)err;
    define_globals(module);
    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        define_operands(all.at[i]);
        if (LLVMIsAShuffleVectorInst(all.at[i]))
            define_shuffle(builder, all.at[i]);
        else if (LLVMIsAFreezeInst(all.at[i]))
            ir_replace(all.at[i], LLVMGetOperand(all.at[i], 0));
    }
    return 0;
}
