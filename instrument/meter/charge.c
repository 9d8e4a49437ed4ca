#include "instrument/meter/charge.h"

#include "instrument/meter/bulk.h"
#include "instrument/meter/intrinsic.h"
#include "instrument/meter/ir.h"

void charge_init(struct charge *charge, LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);

    charge->layout = LLVMGetModuleDataLayout(module);
    charge->free_kind = LLVMGetMDKindIDInContext(context, "bout.free", 9);
}

uint64_t charge_add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t words_of_bits(uint64_t bits)
{
    uint64_t words = bits / 64 + (bits % 64 != 0);

    return words ? words : 1;
}

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

static bool is_aggregate(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static uint64_t integer_cost(LLVMTypeRef type)
{
    bool wide = LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
                LLVMGetIntTypeWidth(type) > 64;

    return wide ? COST_WIDE_INTEGER : COST_DEFAULT;
}

/* An integer of a width that no register has: masked or sign-extended around
 * each operation, and in a vector taken apart. */
static bool is_odd(LLVMTypeRef type)
{
    LLVMTypeRef scalar = ir_scalar(type);
    unsigned width;

    if (LLVMGetTypeKind(scalar) != LLVMIntegerTypeKind)
        return false;
    width = LLVMGetIntTypeWidth(scalar);
    return width != 1 && (width < 8 || (width & (width - 1)) != 0);
}

static bool is_uneven(LLVMTypeRef vector)
{
    unsigned lanes = LLVMGetVectorSize(vector);

    return (lanes & (lanes - 1)) != 0;
}

static uint64_t lane_cost(LLVMTypeRef vector)
{
    uint64_t cost = COST_VECTOR_LANE * integer_cost(ir_scalar(vector));

    if (is_odd(vector))
        return cost * COST_ODD_LANE;
    return is_uneven(vector) ? cost * COST_UNEVEN_LANE : cost;
}

/* Lanes below a byte lie packed in memory, and come and go one by one. */
static bool is_packed(LLVMTypeRef type)
{
    LLVMTypeRef lane = ir_scalar(type);

    return is_vector(type) && LLVMGetTypeKind(lane) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(lane) < 8;
}

static uint64_t packed_cost(LLVMTypeRef vector)
{
    return LLVMGetVectorSize(vector) * lane_cost(vector) * COST_PACKED_LANE;
}

/* By words, and packed members by their lanes. */
static uint64_t aggregate_cost(const struct charge *charge, LLVMTypeRef type)
{
    uint64_t cost = words_of_bits(8 * LLVMABISizeOfType(charge->layout, type)) *
                    COST_AGGREGATE_WORD;

    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return cost;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
        LLVMTypeRef member = LLVMStructGetTypeAtIndex(type, i);

        if (is_packed(member))
            cost += packed_cost(member);
    }
    return cost;
}

/* What a value of this type costs in an operation that is not one of the
 * vector operations priced by words. */
static uint64_t type_cost(const struct charge *charge, LLVMTypeRef type)
{
    if (is_vector(type))
        return LLVMGetVectorSize(type) * lane_cost(type);
    if (is_aggregate(type))
        return aggregate_cost(charge, type);
    return integer_cost(type);
}

static bool is_access(LLVMValueRef inst)
{
    return LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst);
}

static uint64_t vector_word_cost(const struct charge *charge, LLVMTypeRef type)
{
    return words_of_bits(LLVMSizeOfTypeInBits(charge->layout, type)) *
           COST_VECTOR_WORD;
}

/* The vector operations that are priced by words; the type that says how wide
 * one is, NULL for every other instruction. */
static LLVMTypeRef word_operation_type(LLVMValueRef inst)
{
    switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMStore:
    case LLVMICmp:
    case LLVMFCmp:
        return LLVMTypeOf(LLVMGetOperand(inst, 0));
    case LLVMLoad:
    case LLVMAdd:
    case LLVMSub:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect:
        return LLVMTypeOf(inst);
    default:
        return NULL;
    }
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The dearest of result and operands: a store yields nothing, a compare yields
 * one bit, and both work on what they are given. */
static uint64_t widest_cost(const struct charge *charge, LLVMValueRef inst)
{
    uint64_t cost = COST_DEFAULT;

    if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind)
        cost = type_cost(charge, LLVMTypeOf(inst));
    for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, (unsigned)i));

        if (LLVMGetTypeKind(type) != LLVMLabelTypeKind)
            cost = max_u64(cost, type_cost(charge, type));
    }
    return cost;
}

/* Taking a member out of an aggregate, or putting one in, moves the member. */
static uint64_t member_cost(const struct charge *charge, LLVMValueRef inst)
{
    if (LLVMGetInstructionOpcode(inst) == LLVMExtractValue)
        return type_cost(charge, LLVMTypeOf(inst));
    return type_cost(charge, LLVMTypeOf(LLVMGetOperand(inst, 1)));
}

/* Metadata, labels and tokens are not passed by any machine code. */
static bool is_passed(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    return kind != LLVMVoidTypeKind && kind != LLVMMetadataTypeKind &&
           kind != LLVMLabelTypeKind && kind != LLVMTokenTypeKind;
}

/* An operation on the widest value that it is given or yields. */
static uint64_t intrinsic_cost(const struct charge *charge, LLVMValueRef call,
                               const char *name)
{
    uint64_t lanes = COST_DEFAULT;
    uint64_t odd = 1;
    bool vector = false;

    if (is_passed(LLVMTypeOf(call)))
        lanes = type_cost(charge, LLVMTypeOf(call));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, i));

        if (!is_passed(type))
            continue;
        lanes = max_u64(lanes, type_cost(charge, type));
        vector |= is_vector(type);
        if (!is_vector(type) && is_odd(type))
            odd = COST_ODD_LANE;
    }
    switch ((int)intrinsic_find(name)) {
    case INTRINSIC_DEAR:
        return lanes * odd * COST_DEAR;
    case INTRINSIC_DEAR_ON_VECTORS:
        return vector ? lanes * COST_DEAR : lanes * odd;
    default:
        return lanes * odd;
    }
}

#define FREE_ARGUMENTS 8u
#define FREE_INDICES 4u
#define FREE_DOUBLINGS 3u /* eight cases */
/* Below a case each so many values, a switch is a search and no table. */
#define SPARSE_VALUES 10u

static uint64_t address_cost(LLVMValueRef inst)
{
    uint64_t variable = 0;

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(inst); i++)
        variable += !LLVMIsConstant(LLVMGetOperand(inst, i));
    return variable <= FREE_INDICES
               ? COST_DEFAULT
               : COST_DEFAULT + (variable - FREE_INDICES) * COST_INDEX;
}

/* Operands: the value, the default, then each case's value and block. */
static bool is_sparse(LLVMValueRef inst, unsigned cases)
{
    long long least = 0;
    long long most = 0;

    if (LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(inst, 0))) > 64)
        return true;
    for (unsigned i = 0; i < cases; i++) {
        long long value =
            LLVMConstIntGetSExtValue(LLVMGetOperand(inst, 2 + 2 * i));

        least = i == 0 || value < least ? value : least;
        most = i == 0 || value > most ? value : most;
    }
    return ((uint64_t)most - (uint64_t)least) / SPARSE_VALUES >= cases;
}

static uint64_t switch_cost(const struct charge *charge, LLVMValueRef inst)
{
    unsigned cases = LLVMGetNumSuccessors(inst) - 1;
    uint64_t cost = widest_cost(charge, inst);
    unsigned doublings = 0;

    while (doublings < 32 && cases > 1ull << doublings)
        doublings++;
    if (doublings > FREE_DOUBLINGS && is_sparse(inst, cases))
        cost += (doublings - FREE_DOUBLINGS) * (uint64_t)COST_SWITCH;
    return cost;
}

/* The 1 of a call passes the first word of each value. */
static uint64_t call_cost(const struct charge *charge, LLVMValueRef call)
{
    const char *intrinsic = ir_intrinsic(call);

    if (intrinsic)
        return intrinsic_cost(charge, call, intrinsic);

    uint64_t cost = COST_DEFAULT;
    if (is_passed(LLVMTypeOf(call)))
        cost = type_cost(charge, LLVMTypeOf(call));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, i));
        uint64_t place = i < FREE_ARGUMENTS ? 0 : COST_ARGUMENT;

        cost = charge_add(cost, type_cost(charge, type) - 1 + place);
    }
    return cost;
}

static bool is_free(const struct charge *charge, LLVMValueRef inst)
{
    const char *intrinsic = ir_intrinsic(inst);

    return LLVMGetMetadata(inst, charge->free_kind) || bulk_is_call(inst) ||
           (intrinsic && intrinsic_find(intrinsic) == INTRINSIC_FREE);
}

/* Targets have the conversion of a signed integer alone. */
static uint64_t unsigned_cost(const struct charge *charge, LLVMValueRef inst)
{
    LLVMTypeRef from = ir_scalar(LLVMTypeOf(LLVMGetOperand(inst, 0)));
    bool is_large = LLVMGetIntTypeWidth(from) > 32;

    return widest_cost(charge, inst) * (is_large ? COST_LARGE_UNSIGNED : 1);
}

/* Are these lanes worked on together, by words? */
static bool is_by_words(LLVMTypeRef type)
{
    return is_vector(type) && !is_odd(type) && !is_uneven(type);
}

uint64_t charge_instruction(const struct charge *charge, LLVMValueRef inst)
{
    LLVMTypeRef type = word_operation_type(inst);

    if (is_free(charge, inst))
        return 0;
    if (type && is_access(inst) && is_packed(type))
        return packed_cost(type);
    if (type && is_by_words(type))
        return vector_word_cost(charge, type);
    switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMCall:
        return call_cost(charge, inst);
    case LLVMExtractValue:
    case LLVMInsertValue:
        return member_cost(charge, inst);
    case LLVMGetElementPtr:
        return max_u64(address_cost(inst), widest_cost(charge, inst));
    case LLVMUIToFP:
        return unsigned_cost(charge, inst);
    case LLVMSwitch:
        return switch_cost(charge, inst);
    default:
        return widest_cost(charge, inst);
    }
}
