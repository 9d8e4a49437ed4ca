/* Constrained floating-point operations (#pragma STDC FENV_ACCESS) to plain
 * ones: the virtual machine rounds to nearest and keeps no exception flags.
 */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <string.h>

#define PREFIX "llvm.experimental.constrained."

static const struct {
    const char *name;
    LLVMOpcode opcode;
} operations[] = {
    {"fadd", LLVMFAdd},       {"fsub", LLVMFSub},     {"fmul", LLVMFMul},
    {"fdiv", LLVMFDiv},       {"frem", LLVMFRem},     {"fptosi", LLVMFPToSI},
    {"fptoui", LLVMFPToUI},   {"sitofp", LLVMSIToFP}, {"uitofp", LLVMUIToFP},
    {"fptrunc", LLVMFPTrunc}, {"fpext", LLVMFPExt},
};

/* The intrinsics of the same name without the prefix, by what they are
 * overloaded on: the result, then `extra` operands' types. */
static const struct {
    const char *name;
    int extra; /* the operand whose type follows, -1 for none */
} functions[] = {
    {"acos", -1},      {"asin", -1},    {"atan", -1},    {"ceil", -1},
    {"cos", -1},       {"cosh", -1},    {"exp", -1},     {"exp2", -1},
    {"floor", -1},     {"fma", -1},     {"fmuladd", -1}, {"ldexp", 1},
    {"llrint", 0},     {"llround", 0},  {"log", -1},     {"log10", -1},
    {"log2", -1},      {"lrint", 0},    {"lround", 0},   {"maximum", -1},
    {"maxnum", -1},    {"minimum", -1}, {"minnum", -1},  {"nearbyint", -1},
    {"pow", -1},       {"powi", 1},     {"rint", -1},    {"round", -1},
    {"roundeven", -1}, {"sin", -1},     {"sinh", -1},    {"sqrt", -1},
    {"tan", -1},       {"tanh", -1},    {"trunc", -1},
};

static const struct {
    const char *name;
    LLVMRealPredicate predicate;
} predicates[] = {
    {"oeq", LLVMRealOEQ}, {"ogt", LLVMRealOGT}, {"oge", LLVMRealOGE},
    {"olt", LLVMRealOLT}, {"ole", LLVMRealOLE}, {"one", LLVMRealONE},
    {"ord", LLVMRealORD}, {"uno", LLVMRealUNO}, {"ueq", LLVMRealUEQ},
    {"ugt", LLVMRealUGT}, {"uge", LLVMRealUGE}, {"ult", LLVMRealULT},
    {"ule", LLVMRealULE}, {"une", LLVMRealUNE},
};

/* The last operands are metadata: rounding, exceptions. */
static unsigned value_count(LLVMValueRef call)
{
    unsigned count = 0;

    while (count < LLVMGetNumArgOperands(call) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, count))) !=
               LLVMMetadataTypeKind)
        count++;
    return count;
}

static LLVMValueRef build_operation(LLVMBuilderRef builder, LLVMValueRef call,
                                    LLVMOpcode opcode)
{
    LLVMValueRef a = LLVMGetOperand(call, 0);

    if (value_count(call) == 2)
        return LLVMBuildBinOp(builder, opcode, a, LLVMGetOperand(call, 1), "");
    return LLVMBuildCast(builder, opcode, a, LLVMTypeOf(call), "");
}

/* A compare's third operand is its predicate, a string in metadata. */
static LLVMValueRef build_compare(LLVMBuilderRef builder, LLVMValueRef call)
{
    unsigned size;
    const char *text = LLVMGetMDString(LLVMGetOperand(call, 2), &size);

    for (size_t i = 0; text && i < sizeof predicates / sizeof *predicates;
         i++) {
        if (size == 3 && !memcmp(text, predicates[i].name, 3))
            return LLVMBuildFCmp(builder, predicates[i].predicate,
                                 LLVMGetOperand(call, 0),
                                 LLVMGetOperand(call, 1), "");
    }
    return NULL;
}

static LLVMValueRef build_function(LLVMBuilderRef builder, LLVMValueRef call,
                                   const char *name, int extra)
{
    unsigned count = value_count(call);
    auto_free char *full = mem_format("llvm.%s", name);
    auto_free LLVMValueRef *arguments =
        mem_calloc(count + 1, sizeof *arguments);
    LLVMTypeRef types[2] = {LLVMTypeOf(call)};

    for (unsigned i = 0; i < count; i++)
        arguments[i] = LLVMGetOperand(call, i);
    if (extra >= 0)
        types[1] = LLVMTypeOf(arguments[extra]);
    return ir_call_intrinsic(builder, full, types, extra < 0 ? 1 : 2, arguments,
                             count);
}

static LLVMValueRef build_plain(LLVMBuilderRef builder, LLVMValueRef call,
                                const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (ir_has_base(name, operations[i].name))
            return build_operation(builder, call, operations[i].opcode);
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (ir_has_base(name, functions[i].name))
            return build_function(builder, call, functions[i].name,
                                  functions[i].extra);
    }
    return build_compare(builder, call);
}

int lower_fenv(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        const char *name = ir_intrinsic(all.at[i]);

        if (!name || strncmp(name, PREFIX, strlen(PREFIX)) != 0)
            continue;
        ir_at(builder, all.at[i]);
        LLVMValueRef plain =
            build_plain(builder, all.at[i], name + strlen(PREFIX));
        if (!plain)
            return err_set(err, ERR_SYSTEM, "%s is not known", name);
        ir_replace(all.at[i], plain);
    }
    return 0;
}
