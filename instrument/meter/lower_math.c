/* Floating-point intrinsics to functions of the metered library, or to plain
 * operations: otherwise one target calls a function and another emits one
 * instruction, and results differ in the last bit.
 *
 * Kept are fabs, copysign and sqrt, which IEEE 754 fixes. Vectors are done lane
 * by lane. fmuladd is never fused. minnum and maxnum, whose zero signs are
 * open, become compare and select.
 */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <string.h>

/* An intrinsic and the C function that it becomes (with `f` for float). */
static const struct {
    const char *intrinsic;
    const char *function;
} called[] = {
    {"llvm.acos", "acos"},     {"llvm.asin", "asin"},
    {"llvm.atan", "atan"},     {"llvm.ceil", "ceil"},
    {"llvm.cos", "cos"},       {"llvm.cosh", "cosh"},
    {"llvm.exp", "exp"},       {"llvm.exp10", "exp10"},
    {"llvm.exp2", "exp2"},     {"llvm.floor", "floor"},
    {"llvm.fma", "fma"},       {"llvm.ldexp", "ldexp"},
    {"llvm.llrint", "llrint"}, {"llvm.llround", "llround"},
    {"llvm.log", "log"},       {"llvm.log10", "log10"},
    {"llvm.log2", "log2"},     {"llvm.lrint", "lrint"},
    {"llvm.lround", "lround"}, {"llvm.nearbyint", "nearbyint"},
    {"llvm.pow", "pow"},       {"llvm.rint", "rint"},
    {"llvm.round", "round"},   {"llvm.roundeven", "rint"},
    {"llvm.sin", "sin"},       {"llvm.sinh", "sinh"},
    {"llvm.tan", "tan"},       {"llvm.tanh", "tanh"},
    {"llvm.trunc", "trunc"},
};

static const char *called_function(const char *intrinsic)
{
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        if (ir_has_base(intrinsic, called[i].intrinsic))
            return called[i].function;
    }
    return NULL;
}

static bool is_float(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

struct function_call {
    const char *name;
    unsigned arguments;
};

/* C's int is 32 bits, its long 64; an intrinsic may have other widths. */
static LLVMValueRef call_lane(LLVMBuilderRef builder, LLVMTypeRef result,
                              LLVMValueRef *operands, const void *context)
{
    const struct function_call *call = context;
    LLVMContextRef types = LLVMGetTypeContext(result);
    LLVMTypeRef value_type = LLVMTypeOf(operands[0]);
    bool to_integer = LLVMGetTypeKind(result) == LLVMIntegerTypeKind;
    LLVMTypeRef returned = to_integer ? LLVMInt64TypeInContext(types) : result;
    auto_free LLVMValueRef *arguments =
        mem_calloc(call->arguments, sizeof *arguments);
    auto_free char *name =
        mem_format("%s%s", call->name, is_float(value_type) ? "f" : "");

    for (unsigned i = 0; i < call->arguments; i++) {
        arguments[i] = operands[i];
        if (LLVMGetTypeKind(LLVMTypeOf(operands[i])) == LLVMIntegerTypeKind)
            arguments[i] = LLVMBuildIntCast2(
                builder, operands[i], LLVMInt32TypeInContext(types), true, "");
    }
    LLVMValueRef value =
        ir_call(builder, name, returned, arguments, call->arguments);
    return to_integer ? LLVMBuildIntCast2(builder, value, result, true, "")
                      : value;
}

static LLVMValueRef build_call(LLVMBuilderRef builder, LLVMValueRef inst,
                               const char *function)
{
    bool is_call = LLVMIsACallInst(inst);
    unsigned count = is_call ? LLVMGetNumArgOperands(inst) : 2;
    struct function_call call = {.name = function, .arguments = count};
    auto_free LLVMValueRef *operands = mem_calloc(count, sizeof *operands);

    for (unsigned i = 0; i < count; i++)
        operands[i] = LLVMGetOperand(inst, i);
    return ir_by_lanes(builder, &(struct ir_lanes_spec){
                                    .result = LLVMTypeOf(inst),
                                    .operands = operands,
                                    .count = count,
                                    .each = call_lane,
                                    .context = &call,
                                });
}

/* __powidf2 and __powisf2 are the compiler's names for powi. */
static LLVMValueRef powi_lane(LLVMBuilderRef builder, LLVMTypeRef result,
                              LLVMValueRef *operands, const void *context)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetTypeContext(result));
    LLVMValueRef arguments[] = {
        operands[0],
        LLVMBuildIntCast2(builder, operands[1], type, true, ""),
    };

    (void)context;
    return ir_call(builder, is_float(result) ? "__powisf2" : "__powidf2",
                   result, arguments, 2);
}

/* The smaller (or greater) of two; the other one if one is not a number. */
static LLVMValueRef build_choice(LLVMBuilderRef builder, LLVMValueRef a,
                                 LLVMValueRef b, LLVMRealPredicate prefers_a)
{
    LLVMValueRef first = LLVMBuildFCmp(builder, prefers_a, a, b, "");
    LLVMValueRef chosen = LLVMBuildSelect(builder, first, a, b, "");
    LLVMValueRef b_is_nan = LLVMBuildFCmp(builder, LLVMRealUNO, b, b, "");

    return LLVMBuildSelect(builder, b_is_nan, a, chosen, "");
}

static LLVMTypeRef integer_like(LLVMTypeRef type)
{
    LLVMContextRef context = LLVMGetTypeContext(type);
    LLVMTypeRef word = is_float(ir_scalar(type))
                           ? LLVMInt32TypeInContext(context)
                           : LLVMInt64TypeInContext(context);

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? LLVMVectorType(word, LLVMGetVectorSize(type))
               : word;
}

/* IEEE 754-2019 minimum, maximum: -0 is less than +0, NaN wins. Equal values
 * differ in the sign of a zero at most, so that or and and of the bits order
 * them. */
static LLVMValueRef build_strict_choice(LLVMBuilderRef builder, LLVMValueRef a,
                                        LLVMValueRef b,
                                        LLVMRealPredicate prefers_a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMTypeRef bits = integer_like(type);
    LLVMValueRef a_bits = LLVMBuildBitCast(builder, a, bits, "");
    LLVMValueRef b_bits = LLVMBuildBitCast(builder, b, bits, "");
    LLVMValueRef zero = prefers_a == LLVMRealOLT
                            ? LLVMBuildOr(builder, a_bits, b_bits, "")
                            : LLVMBuildAnd(builder, a_bits, b_bits, "");
    LLVMValueRef first = LLVMBuildFCmp(builder, prefers_a, a, b, "");
    LLVMValueRef equal = LLVMBuildFCmp(builder, LLVMRealOEQ, a, b, "");
    LLVMValueRef is_nan = LLVMBuildFCmp(builder, LLVMRealUNO, a, b, "");
    LLVMValueRef chosen = LLVMBuildSelect(builder, first, a, b, "");

    chosen = LLVMBuildSelect(
        builder, equal, LLVMBuildBitCast(builder, zero, type, ""), chosen, "");
    return LLVMBuildSelect(builder, is_nan, LLVMBuildFAdd(builder, a, b, ""),
                           chosen, "");
}

enum combination { ADD, MULTIPLY, MIN, MAX, MINIMUM, MAXIMUM };

static LLVMValueRef combine(LLVMBuilderRef builder, enum combination how,
                            LLVMValueRef a, LLVMValueRef b)
{
    switch (how) {
    case ADD:
        return LLVMBuildFAdd(builder, a, b, "");
    case MULTIPLY:
        return LLVMBuildFMul(builder, a, b, "");
    case MIN:
        return build_choice(builder, a, b, LLVMRealOLT);
    case MAX:
        return build_choice(builder, a, b, LLVMRealOGT);
    case MINIMUM:
        return build_strict_choice(builder, a, b, LLVMRealOLT);
    case MAXIMUM:
        return build_strict_choice(builder, a, b, LLVMRealOGT);
    }
    return NULL;
}

static const struct {
    const char *intrinsic;
    enum combination how;
} combined[] = {
    {"llvm.minnum", MIN},
    {"llvm.maxnum", MAX},
    {"llvm.minimum", MINIMUM},
    {"llvm.maximum", MAXIMUM},
    {"llvm.vector.reduce.fadd", ADD},
    {"llvm.vector.reduce.fmul", MULTIPLY},
    {"llvm.vector.reduce.fmin", MIN},
    {"llvm.vector.reduce.fmax", MAX},
    {"llvm.vector.reduce.fminimum", MINIMUM},
    {"llvm.vector.reduce.fmaximum", MAXIMUM},
};

/* A vector's lanes combined from the first to the last, after `start` where the
 * intrinsic has one: the order is part of the result. */
static LLVMValueRef build_reduction(LLVMBuilderRef builder, LLVMValueRef call,
                                    enum combination how)
{
    bool has_start = LLVMGetNumArgOperands(call) == 2;
    LLVMValueRef vector = LLVMGetOperand(call, has_start);
    LLVMValueRef sum = has_start ? LLVMGetOperand(call, 0) : NULL;

    for (unsigned i = 0; i < ir_lanes(LLVMTypeOf(vector)); i++) {
        LLVMValueRef lane = LLVMBuildExtractElement(
            builder, vector, ir_i32(ir_context_of(call), i), "");

        sum = sum ? combine(builder, how, sum, lane) : lane;
    }
    return sum;
}

static LLVMValueRef build_combined(LLVMBuilderRef builder, LLVMValueRef call,
                                   const char *name)
{
    for (size_t i = 0; i < sizeof combined / sizeof *combined; i++) {
        if (!ir_has_base(name, combined[i].intrinsic))
            continue;
        if (!strncmp(name, "llvm.vector.", 12))
            return build_reduction(builder, call, combined[i].how);
        return combine(builder, combined[i].how, LLVMGetOperand(call, 0),
                       LLVMGetOperand(call, 1));
    }
    return NULL;
}

/* frexp gives fraction and exponent in a struct; C's gives one by pointer. */
static LLVMValueRef build_frexp(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMTypeRef exponent = LLVMStructGetTypeAtIndex(type, 1);
    LLVMTypeRef c_int = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
    LLVMValueRef value = LLVMGetOperand(call, 0);
    LLVMValueRef slot = ir_entry_alloca(ir_function_of(call), c_int, 16);
    LLVMValueRef arguments[] = {value, slot};

    if (LLVMGetTypeKind(exponent) != LLVMIntegerTypeKind)
        return NULL;
    LLVMValueRef fraction =
        ir_call(builder, is_float(LLVMTypeOf(value)) ? "frexpf" : "frexp",
                LLVMTypeOf(value), arguments, 2);
    LLVMValueRef written = LLVMBuildIntCast2(
        builder, LLVMBuildLoad2(builder, c_int, slot, ""), exponent, true, "");
    LLVMValueRef both =
        LLVMBuildInsertValue(builder, LLVMConstNull(type), fraction, 0, "");
    return LLVMBuildInsertValue(builder, both, written, 1, "");
}

static LLVMValueRef build_intrinsic(LLVMBuilderRef builder, LLVMValueRef call,
                                    const char *name)
{
    const char *function = called_function(name);

    if (function)
        return build_call(builder, call, function);
    if (ir_has_base(name, "llvm.powi")) {
        LLVMValueRef operands[] = {LLVMGetOperand(call, 0),
                                   LLVMGetOperand(call, 1)};
        return ir_by_lanes(builder, &(struct ir_lanes_spec){
                                        .result = LLVMTypeOf(call),
                                        .operands = operands,
                                        .count = 2,
                                        .each = powi_lane,
                                    });
    }
    if (ir_has_base(name, "llvm.fmuladd"))
        return LLVMBuildFAdd(builder,
                             LLVMBuildFMul(builder, LLVMGetOperand(call, 0),
                                           LLVMGetOperand(call, 1), ""),
                             LLVMGetOperand(call, 2), "");
    if (ir_has_base(name, "llvm.frexp"))
        return build_frexp(builder, call);
    return build_combined(builder, call, name);
}

int lower_math(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    (void)err;
    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        const char *name = ir_intrinsic(all.at[i]);
        bool is_remainder = LLVMGetInstructionOpcode(all.at[i]) == LLVMFRem;
        LLVMValueRef value = NULL;

        if (!name && !is_remainder)
            continue;
        ir_at(builder, all.at[i]);
        value = is_remainder ? build_call(builder, all.at[i], "fmod")
                             : build_intrinsic(builder, all.at[i], name);
        if (value)
            ir_replace(all.at[i], value);
    }
    return 0;
}
