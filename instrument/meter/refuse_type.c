#include "instrument/meter/refuse_internal.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#define INTEGER_MAX_BITS 128u
#define VECTOR_MAX_BITS 512u
#define VECTOR_MAX_LANES 64u
/* What the vectorisers make of a plain loop: sixteen bytes at a time, each with
 * a 64-bit index, or a group of interleaved members. */
#define OPTIMISER_MAX_BITS 4096u
#define OPTIMISER_MAX_LANES 256u

static unsigned scalar_bits(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMFloatTypeKind:
        return 32;
    default:
        return 64;
    }
}

/* Whether the program itself has a vector there: the optimiser makes no
 * variables, parameters and arguments of vectors. */
static bool is_written(LLVMValueRef at)
{
    return LLVMIsAGlobalValue(at) || LLVMIsAAllocaInst(at) ||
           (LLVMIsACallInst(at) && !LLVMGetIntrinsicID(LLVMGetCalledValue(at)));
}

static void refuse_vector(struct refuse *refuse, LLVMTypeRef type,
                          LLVMValueRef at)
{
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned lanes = LLVMGetVectorSize(type);
    unsigned bits = lanes * scalar_bits(element);
    bool written = is_written(at);

    refuse_type(refuse, element, at);
    if (lanes <= (written ? VECTOR_MAX_LANES : OPTIMISER_MAX_LANES) &&
        bits <= (written ? VECTOR_MAX_BITS : OPTIMISER_MAX_BITS))
        return;
    if (refuse_seen_add(&refuse->types, type))
        refuse_at(refuse, at,
                  "a vector of %u lanes of %u bits is not available: at most "
                  "512 bits and 64 lanes",
                  lanes, scalar_bits(element));
}

static void refuse_members(struct refuse *refuse, LLVMTypeRef type,
                           LLVMValueRef at)
{
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        refuse_type(refuse, LLVMGetElementType(type), at);
        return;
    }
    if (LLVMIsOpaqueStruct(type))
        return;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        refuse_type(refuse, LLVMStructGetTypeAtIndex(type, i), at);
}

static void refuse_signature(struct refuse *refuse, LLVMTypeRef type,
                             LLVMValueRef at)
{
    unsigned count = LLVMCountParamTypes(type);
    auto_free LLVMTypeRef *all = mem_calloc(count + 1, sizeof *all);

    refuse_type(refuse, LLVMGetReturnType(type), at);
    LLVMGetParamTypes(type, all);
    for (unsigned i = 0; i < count; i++)
        refuse_type(refuse, all[i], at);
}

/* The name of a floating-point type that is not available, or NULL. */
static const char *strange_float(LLVMTypeKind kind)
{
    switch ((int)kind) {
    case LLVMHalfTypeKind:
        return "_Float16";
    case LLVMBFloatTypeKind:
        return "__bf16";
    case LLVMFP128TypeKind:
        return "__float128";
    case LLVMPPC_FP128TypeKind:
        return "__ibm128";
    case LLVMX86_FP80TypeKind:
        return "an 80-bit long double";
    default:
        return NULL;
    }
}

static void refuse_integer(struct refuse *refuse, LLVMTypeRef type,
                           LLVMValueRef at)
{
    if (LLVMGetIntTypeWidth(type) > INTEGER_MAX_BITS)
        refuse_at(
            refuse, at,
            "an integer of %u bits is not available: at most 128 (_BitInt, "
            "or bit-fields packed into one unit: part them by a member "
            "that is none)",
            LLVMGetIntTypeWidth(type));
}

static void refuse_pointer(struct refuse *refuse, LLVMTypeRef type,
                           LLVMValueRef at)
{
    if (LLVMGetPointerAddressSpace(type))
        refuse_at(refuse, at, "address_space(%u) is not available",
                  LLVMGetPointerAddressSpace(type));
}

void refuse_type(struct refuse *refuse, LLVMTypeRef type, LLVMValueRef at)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    /* A refused type is named once, where it is met first. What a vector may
     * be depends on the place. */
    if (kind == LLVMVectorTypeKind) {
        refuse_vector(refuse, type, at);
        return;
    }
    if (!refuse_seen_add(&refuse->types, type))
        return;
    switch ((int)kind) {
    case LLVMVoidTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
        return;
    case LLVMIntegerTypeKind:
        refuse_integer(refuse, type, at);
        return;
    case LLVMPointerTypeKind:
        refuse_pointer(refuse, type, at);
        return;
    case LLVMArrayTypeKind:
    case LLVMStructTypeKind:
        refuse_members(refuse, type, at);
        return;
    case LLVMFunctionTypeKind:
        refuse_signature(refuse, type, at);
        return;
    default:
        if (strange_float(kind))
            refuse_at(refuse, at,
                      "%s is not available: use double (long double is the "
                      "same)",
                      strange_float(kind));
        else
            refuse_at(refuse, at, "a type of another machine is not available");
        return;
    }
}

/* Constant expressions may hide types from the instruction that uses them. */
void refuse_constant(struct refuse *refuse, LLVMValueRef constant,
                     LLVMValueRef at)
{
    if (!refuse_seen_add(&refuse->constants, constant))
        return;
    refuse_type(refuse, LLVMTypeOf(constant), at);
    if (LLVMIsAGlobalValue(constant) || LLVMIsABlockAddress(constant))
        return;
    if (LLVMGetValueKind(constant) == LLVMConstantPtrAuthValueKind ||
        LLVMGetValueKind(constant) == LLVMConstantTargetNoneValueKind)
        refuse_at(refuse, at, "a constant of another machine");
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(constant); i++) {
        LLVMValueRef operand = LLVMGetOperand(constant, i);

        if (operand && LLVMIsConstant(operand))
            refuse_constant(refuse, operand, at);
    }
}
