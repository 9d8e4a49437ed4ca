/* Integers of 65 to 128 bits: division and conversion from and to floating
 * point become calls of metered library functions (compiler-rt's names), which
 * code generation would otherwise call by itself, unpaid. Everything else on
 * them is a few instructions on every target and stays.
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

static const struct wide WIDE[] = {
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
    for (size_t i = 0; i < sizeof WIDE / sizeof *WIDE; i++) {
        if (LLVMGetInstructionOpcode(inst) == WIDE[i].opcode)
            return &WIDE[i];
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
