/* The sign and payload of a computed NaN to one value everywhere: x86-64 makes
 * the negative one of 0.0 / 0.0, aarch64 the positive one, and the two hand
 * payloads on by different rules (contract 2.1, `strict_nan`).
 *
 * No operation but these lets a program see a NaN's bits: a store, a cast to an
 * integer, a member of an aggregate (which is stored or passed as bits), the
 * sign that copysign takes. There a value that may be a computed NaN is
 * replaced: a scalar by a branch to a block that is never reached else, which
 * costs less than a select; a vector by a select. Branch and select are charged
 * like any other, the compare in front of them is not.
 */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include <string.h>

#define CANONICAL_FLOAT 0x7fc00000u
#define CANONICAL_DOUBLE 0x7ff8000000000000u

struct nan {
    LLVMBuilderRef builder;
    LLVMValueRef mark; /* an empty node */
    unsigned free_kind;
};

static bool is_floating(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(ir_scalar(type));

    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* Bits that were read, given or converted are the same on every target. */
static bool may_be_computed(LLVMValueRef value)
{
    if (LLVMIsConstant(value) || LLVMIsALoadInst(value))
        return false;
    return !LLVMIsABitCastInst(value) && !LLVMIsASIToFPInst(value) &&
           !LLVMIsAUIToFPInst(value);
}

/* Which operand of `inst` shows its bits; -1 if none does. */
static int showing_operand(LLVMValueRef inst)
{
    const char *intrinsic = ir_intrinsic(inst);

    if (LLVMIsAStoreInst(inst))
        return 0;
    if (LLVMIsABitCastInst(inst) && !is_floating(LLVMTypeOf(inst)))
        return 0;
    if (LLVMIsAInsertValueInst(inst))
        return 1;
    return intrinsic && ir_has_base(intrinsic, "llvm.copysign") ? 1 : -1;
}

static LLVMValueRef canonical(LLVMTypeRef type)
{
    LLVMTypeRef scalar = ir_scalar(type);
    LLVMContextRef context = LLVMGetTypeContext(type);
    bool is_double = LLVMGetTypeKind(scalar) == LLVMDoubleTypeKind;
    LLVMValueRef bits = is_double ? ir_i64(context, CANONICAL_DOUBLE)
                                  : ir_i32(context, CANONICAL_FLOAT);
    LLVMValueRef one = LLVMConstBitCast(bits, scalar);

    return scalar == type ? one : ir_splat(type, one);
}

static LLVMValueRef marked(const struct nan *nan, LLVMValueRef inst)
{
    LLVMSetMetadata(inst, nan->free_kind, nan->mark);
    return inst;
}

static LLVMValueRef build_test(const struct nan *nan, LLVMValueRef value)
{
    return marked(nan,
                  LLVMBuildFCmp(nan->builder, LLVMRealUNO, value, value, ""));
}

static LLVMValueRef replace_vector(const struct nan *nan, LLVMValueRef at,
                                   LLVMValueRef value)
{
    ir_at(nan->builder, at);
    LLVMValueRef test = build_test(nan, value);
    return LLVMBuildSelect(nan->builder, test, canonical(LLVMTypeOf(value)),
                           value, "");
}

static LLVMValueRef replace_scalar(const struct nan *nan, LLVMValueRef at,
                                   LLVMValueRef value)
{
    LLVMBuilderRef builder = nan->builder;
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(at);
    LLVMBasicBlockRef head = ir_split_before(at);
    LLVMBasicBlockRef found = ir_append_block(ir_function_of(at));
    LLVMValueRef from[] = {value, canonical(LLVMTypeOf(value))};
    LLVMBasicBlockRef through[] = {head, found};

    ir_at_end(builder, head, at);
    LLVMValueRef branch =
        LLVMBuildCondBr(builder, build_test(nan, value), found, rest);
    ir_set_unlikely(branch);
    ir_at_end(builder, found, at);
    LLVMBuildBr(builder, rest);
    ir_at(builder, at);
    LLVMValueRef phi =
        marked(nan, LLVMBuildPhi(builder, LLVMTypeOf(value), ""));
    LLVMAddIncoming(phi, from, through, 2);
    return phi;
}

int lower_nan(LLVMModuleRef module, struct err *err)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);
    const struct nan nan = {
        .builder = builder,
        .mark = LLVMMetadataAsValue(context,
                                    LLVMMDNodeInContext2(context, NULL, 0)),
        .free_kind = LLVMGetMDKindIDInContext(context, "bout.free", 9),
    };

    (void)err;
    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        int k = showing_operand(all.at[i]);
        LLVMValueRef value =
            k < 0 ? NULL : LLVMGetOperand(all.at[i], (unsigned)k);

        if (!value || !is_floating(LLVMTypeOf(value)) ||
            !may_be_computed(value))
            continue;
        bool is_vector =
            LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
        LLVMSetOperand(all.at[i], (unsigned)k,
                       is_vector ? replace_vector(&nan, all.at[i], value)
                                 : replace_scalar(&nan, all.at[i], value));
    }
    return 0;
}
