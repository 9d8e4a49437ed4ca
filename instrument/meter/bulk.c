#include "instrument/meter/bulk.h"

#include "instrument/meter/charge.h"
#include "instrument/meter/intrinsic.h"
#include "instrument/meter/ir.h"

#include <string.h>

#define CHARGE_NAME "__bout_charge"

enum bulk_kind { BULK_NONE, BULK_MEMORY, BULK_CHARGE };

static enum bulk_kind bulk_kind(LLVMValueRef inst)
{
    const char *intrinsic = ir_intrinsic(inst);

    if (intrinsic && intrinsic_find(intrinsic) == INTRINSIC_BULK)
        return BULK_MEMORY;
    return ir_is_call_of(inst, CHARGE_NAME) ? BULK_CHARGE : BULK_NONE;
}

bool bulk_is_call(LLVMValueRef inst)
{
    return bulk_kind(inst) != BULK_NONE;
}

bool bulk_is_charge(LLVMValueRef inst)
{
    return bulk_kind(inst) == BULK_CHARGE;
}

/* The bytes of a memory intrinsic, or the argument of `__bout_charge`. */
static LLVMValueRef bulk_amount(LLVMValueRef call)
{
    return LLVMGetArgOperand(call, bulk_is_charge(call) ? 0 : 2);
}

bool bulk_is_known(LLVMValueRef inst, uint64_t *price)
{
    enum bulk_kind kind = bulk_kind(inst);

    if (kind == BULK_NONE)
        return false;
    LLVMValueRef amount = LLVMIsAConstantInt(bulk_amount(inst));
    if (!amount)
        return false;
    uint64_t n = LLVMConstIntGetZExtValue(amount);
    if (kind == BULK_MEMORY)
        n = COST_BULK_BASE + COST_BULK_WORD * (n / 8 + (n % 8 != 0));
    if (n > COST_BLOCK_MAX)
        return false;
    *price = n;
    return true;
}

static LLVMValueRef build_memory_price(LLVMBuilderRef builder,
                                       LLVMValueRef bytes)
{
    LLVMTypeRef i64 = LLVMTypeOf(bytes);
    LLVMValueRef words =
        LLVMBuildLShr(builder, bytes, LLVMConstInt(i64, 3, 0), "");
    LLVMValueRef rest =
        LLVMBuildAnd(builder, bytes, LLVMConstInt(i64, 7, 0), "");
    LLVMValueRef has_rest =
        LLVMBuildICmp(builder, LLVMIntNE, rest, LLVMConstInt(i64, 0, 0), "");

    words = LLVMBuildAdd(builder, words,
                         LLVMBuildZExt(builder, has_rest, i64, ""), "");
    words =
        LLVMBuildMul(builder, words, LLVMConstInt(i64, COST_BULK_WORD, 0), "");
    return LLVMBuildAdd(builder, words, LLVMConstInt(i64, COST_BULK_BASE, 0),
                        "");
}

LLVMValueRef bulk_build_price(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef amount = bulk_amount(call);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(amount));
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);

    if (LLVMTypeOf(amount) != i64) /* memset of 32-bit length */
        amount = LLVMBuildZExt(builder, amount, i64, "");
    if (!bulk_is_charge(call))
        return build_memory_price(builder, amount);
    LLVMValueRef most = LLVMConstInt(i64, BULK_PRICE_MAX, 0);
    LLVMValueRef over = LLVMBuildICmp(builder, LLVMIntUGT, amount, most, "");
    return LLVMBuildSelect(builder, over, most, amount, "");
}

/* ---- calls of the functions become the intrinsics -------------------------
 */

/* The argument's alignment at the call, at least 1. */
static unsigned argument_align(LLVMValueRef call, unsigned index)
{
    static const char name[] = "align";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMAttributeRef align =
        LLVMGetCallSiteEnumAttribute(call, index + 1, kind);

    return align ? (unsigned)LLVMGetEnumAttributeValue(align) : 1;
}

static void replace_call(LLVMBuilderRef builder, LLVMValueRef call,
                         const char *name)
{
    LLVMValueRef to = LLVMGetArgOperand(call, 0);
    LLVMValueRef from = LLVMGetArgOperand(call, 1);
    LLVMValueRef size = LLVMGetArgOperand(call, 2);
    unsigned to_align = argument_align(call, 0);
    unsigned from_align = argument_align(call, 1);

    ir_at(builder, call);
    if (!strcmp(name, "memset")) {
        LLVMTypeRef i8 =
            LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));

        LLVMBuildMemSet(builder, to, LLVMBuildTrunc(builder, from, i8, ""),
                        size, to_align);
    } else if (!strcmp(name, "memcpy")) {
        LLVMBuildMemCpy(builder, to, to_align, from, from_align, size);
    } else {
        LLVMBuildMemMove(builder, to, to_align, from, from_align, size);
    }
    LLVMReplaceAllUsesWith(call, to);
    LLVMInstructionEraseFromParent(call);
}

static bool has_library_type(LLVMValueRef function, bool is_set)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMTypeRef parameter[3];

    if (LLVMIsFunctionVarArg(type) || LLVMCountParamTypes(type) != 3)
        return false;
    LLVMGetParamTypes(type, parameter);
    LLVMTypeKind second = is_set ? LLVMIntegerTypeKind : LLVMPointerTypeKind;
    return LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMPointerTypeKind &&
           LLVMGetTypeKind(parameter[0]) == LLVMPointerTypeKind &&
           LLVMGetTypeKind(parameter[1]) == second &&
           LLVMGetTypeKind(parameter[2]) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(parameter[2]) == 64;
}

void bulk_make_intrinsics(LLVMModuleRef module)
{
    static const char *const names[] = {"memcpy", "memmove", "memset"};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    auto_ir_list struct ir_list calls = {0};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);

        if (!function || !LLVMIsDeclaration(function) ||
            !has_library_type(function, i == 2))
            continue;
        ir_call_users(function, &calls);
        for (size_t k = 0; k < calls.count; k++)
            if (LLVMGetCalledFunctionType(calls.at[k]) ==
                LLVMGlobalGetValueType(function))
                replace_call(builder, calls.at[k], names[i]);
    }
}
