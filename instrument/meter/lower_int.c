/* Integers of 65 to 128 bits: division and conversion from and to floating
 * point become calls of metered library functions (compiler-rt's names), which
 * code generation would otherwise call by itself, unpaid; so does, on aarch64,
 * the signed product with its overflow, which becomes the unsigned one of the
 * magnitudes. Everything else on them is a few instructions on every target and
 * stays.
 *
 * Runs after lower_divide (no zero, no -1 for the smallest number) and before
 * lower_defined (float to integer of other widths).
 */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#define WIDE_BITS 128u

static bool is_wide(LLVMTypeRef type)
{
    LLVMTypeRef scalar = ir_scalar(type);

    return LLVMGetTypeKind(scalar) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(scalar) > 64;
}

static LLVMTypeRef wide_type(LLVMTypeRef like)
{
    return LLVMIntTypeInContext(LLVMGetTypeContext(like), WIDE_BITS);
}

/* An operation on wide integers and the function that does it. */
struct wide {
    LLVMOpcode opcode;
    bool is_signed;
    const char *on_double; /* or on integers alone */
    const char *on_float;
};

static const struct wide wide_operations[] = {
    {LLVMUDiv, false, "__udivti3", NULL},
    {LLVMSDiv, true, "__divti3", NULL},
    {LLVMURem, false, "__umodti3", NULL},
    {LLVMSRem, true, "__modti3", NULL},
    {LLVMUIToFP, false, "__floatuntidf", "__floatuntisf"},
    {LLVMSIToFP, true, "__floattidf", "__floattisf"},
    {LLVMFPToUI, false, "__fixunsdfti", "__fixunssfti"},
    {LLVMFPToSI, true, "__fixdfti", "__fixsfti"},
};

static const struct wide *find_wide(LLVMValueRef inst)
{
    for (size_t i = 0; i < sizeof wide_operations / sizeof *wide_operations;
         i++) {
        if (LLVMGetInstructionOpcode(inst) == wide_operations[i].opcode)
            return &wide_operations[i];
    }
    return NULL;
}

static LLVMValueRef divide_lane(LLVMBuilderRef builder, LLVMTypeRef result,
                                LLVMValueRef *operands, const void *context)
{
    const struct wide *wide = context;
    LLVMTypeRef type = wide_type(result);
    LLVMValueRef arguments[2];

    for (int i = 0; i < 2; i++)
        arguments[i] =
            LLVMBuildIntCast2(builder, operands[i], type, wide->is_signed, "");
    return LLVMBuildIntCast2(
        builder, ir_call(builder, wide->on_double, type, arguments, 2), result,
        false, "");
}

static LLVMValueRef to_float_lane(LLVMBuilderRef builder, LLVMTypeRef result,
                                  LLVMValueRef *operands, const void *context)
{
    const struct wide *wide = context;
    bool is_float = LLVMGetTypeKind(result) == LLVMFloatTypeKind;
    LLVMValueRef value = LLVMBuildIntCast2(
        builder, operands[0], wide_type(result), wide->is_signed, "");

    return ir_call(builder, is_float ? wide->on_float : wide->on_double, result,
                   &value, 1);
}

/* The library's functions saturate to 128 bits; narrower results are clamped,
 * and what is not a number becomes 0, as llvm.fptosi.sat has it. */
static LLVMValueRef clamped(LLVMBuilderRef builder, LLVMValueRef value,
                            LLVMTypeRef result, bool is_signed)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned width = LLVMGetIntTypeWidth(result);
    LLVMValueRef ones = LLVMConstAllOnes(type);
    /* All ones, shifted down to the largest number of `width` bits. */
    LLVMValueRef most = LLVMBuildLShr(
        builder, ones, ir_number(type, WIDE_BITS - width + is_signed), "");
    LLVMValueRef bounds[] = {value, most};

    value = ir_call_intrinsic(builder, is_signed ? "llvm.smin" : "llvm.umin",
                              &type, 1, bounds, 2);
    if (!is_signed)
        return value;
    LLVMValueRef lower[] = {value, LLVMBuildXor(builder, most, ones, "")};
    return ir_call_intrinsic(builder, "llvm.smax", &type, 1, lower, 2);
}

static LLVMValueRef to_integer_lane(LLVMBuilderRef builder, LLVMTypeRef result,
                                    LLVMValueRef *operands, const void *context)
{
    const struct wide *wide = context;
    LLVMTypeRef from = LLVMTypeOf(operands[0]);
    bool is_float = LLVMGetTypeKind(from) == LLVMFloatTypeKind;
    LLVMValueRef value =
        ir_call(builder, is_float ? wide->on_float : wide->on_double,
                wide_type(result), operands, 1);

    if (LLVMGetIntTypeWidth(result) < WIDE_BITS)
        value = clamped(builder, value, result, wide->is_signed);
    value = LLVMBuildIntCast2(builder, value, result, false, "");
    LLVMValueRef is_nan =
        LLVMBuildFCmp(builder, LLVMRealUNO, operands[0], operands[0], "");
    return LLVMBuildSelect(builder, is_nan, LLVMConstNull(result), value, "");
}

static ir_lane *lane_of(const struct wide *wide)
{
    switch ((int)wide->opcode) {
    case LLVMUIToFP:
    case LLVMSIToFP:
        return to_float_lane;
    case LLVMFPToUI:
    case LLVMFPToSI:
        return to_integer_lane;
    default:
        return divide_lane;
    }
}

/* |value|; the smallest number is its own, as unsigned. */
static LLVMValueRef magnitude(LLVMBuilderRef builder, LLVMValueRef value,
                              LLVMValueRef *is_negative)
{
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));

    *is_negative = LLVMBuildICmp(builder, LLVMIntSLT, value, zero, "");
    return LLVMBuildSelect(builder, *is_negative,
                           LLVMBuildSub(builder, zero, value, ""), value, "");
}

/* The product fits if it is at most the largest number, or one more where it is
 * negative. Works on vectors as on integers. */
static LLVMValueRef multiply(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 0));
    LLVMValueRef negative[2];
    LLVMValueRef factor[2];

    for (unsigned i = 0; i < 2; i++)
        factor[i] = magnitude(builder, LLVMGetOperand(call, i), &negative[i]);
    LLVMValueRef below = LLVMBuildXor(builder, negative[0], negative[1], "");
    LLVMValueRef both = ir_call_intrinsic(builder, "llvm.umul.with.overflow",
                                          &type, 1, factor, 2);
    LLVMValueRef product = LLVMBuildExtractValue(builder, both, 0, "");
    LLVMValueRef lost = LLVMBuildExtractValue(builder, both, 1, "");
    LLVMValueRef most =
        LLVMBuildLShr(builder, LLVMConstAllOnes(type), ir_number(type, 1), "");
    most = LLVMBuildAdd(builder, most, LLVMBuildZExt(builder, below, type, ""),
                        "");
    LLVMValueRef over =
        LLVMBuildOr(builder, lost,
                    LLVMBuildICmp(builder, LLVMIntUGT, product, most, ""), "");
    product = LLVMBuildSelect(
        builder, below, LLVMBuildSub(builder, LLVMConstNull(type), product, ""),
        product, "");
    LLVMValueRef result = LLVMBuildInsertValue(
        builder, LLVMConstNull(LLVMTypeOf(call)), product, 0, "");
    return LLVMBuildInsertValue(builder, result, over, 1, "");
}

static bool is_wide_product(LLVMValueRef inst)
{
    const char *intrinsic = ir_intrinsic(inst);

    return intrinsic && ir_has_base(intrinsic, "llvm.smul.with.overflow") &&
           is_wide(LLVMTypeOf(LLVMGetOperand(inst, 0)));
}

int lower_int(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    (void)err;
    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        LLVMValueRef inst = all.at[i];
        const struct wide *wide = find_wide(inst);

        if (is_wide_product(inst)) {
            ir_at(builder, inst);
            ir_replace(inst, multiply(builder, inst));
            continue;
        }
        if (!wide || !(is_wide(LLVMTypeOf(inst)) ||
                       is_wide(LLVMTypeOf(LLVMGetOperand(inst, 0)))))
            continue;
        LLVMValueRef operands[2] = {LLVMGetOperand(inst, 0)};
        unsigned count = (unsigned)LLVMGetNumOperands(inst);
        if (count == 2)
            operands[1] = LLVMGetOperand(inst, 1);
        ir_at(builder, inst);
        ir_replace(inst, ir_by_lanes(builder, &(struct ir_lanes_spec){
                                                  .result = LLVMTypeOf(inst),
                                                  .operands = operands,
                                                  .count = count,
                                                  .each = lane_of(wide),
                                                  .context = wide,
                                              }));
    }
    return 0;
}
