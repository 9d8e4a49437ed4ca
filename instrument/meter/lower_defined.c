/* Undefined behaviour that differs by CPU or by what code generation makes of
 * it, to one result everywhere: overflow wraps, shift amounts are masked, float
 * to integer saturates, lanes are taken modulo their number, accesses may lie
 * at any address, atomics are plain (one thread), no metadata makes a promise.
 *
 * Division is in lower_divide.c, undef and poison in lower_undef.c, attributes
 * in lower_attribute.c.
 */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include <string.h>

static void clear_flags(LLVMValueRef inst)
{
    switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMTrunc:
        LLVMSetNSW(inst, false);
        LLVMSetNUW(inst, false);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        LLVMSetExact(inst, false);
        break;
    case LLVMOr:
        LLVMSetIsDisjoint(inst, false);
        break;
    case LLVMZExt:
    case LLVMUIToFP:
        LLVMSetNNeg(inst, false);
        break;
    case LLVMGetElementPtr:
        LLVMGEPSetNoWrapFlags(inst, 0);
        break;
    default:
        break;
    }
    if (LLVMCanValueUseFastMathFlags(inst))
        LLVMSetFastMathFlags(inst, LLVMFastMathNone);
}

/* What may stay: the debug location (listed too, whatever the getter's name
 * says), branch weights, which promise nothing, and the meter's own mark. */
struct kept {
    unsigned debug;
    unsigned prof;
    unsigned free_mark;
};

static void clear_metadata(LLVMValueRef inst, const struct kept *kept)
{
    size_t count;
    LLVMValueMetadataEntry *entries;

    if (!LLVMHasMetadata(inst))
        return;
    entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(inst, &count);
    for (unsigned i = 0; i < count; i++) {
        unsigned kind = LLVMValueMetadataEntriesGetKind(entries, i);

        if (kind != kept->debug && kind != kept->prof &&
            kind != kept->free_mark)
            LLVMSetMetadata(inst, kind, NULL);
    }
    LLVMDisposeValueMetadataEntries(entries);
}

static void plain_access(LLVMValueRef inst)
{
    LLVMSetAlignment(inst, 1);
    if (LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic)
        LLVMSetOrdering(inst, LLVMAtomicOrderingNotAtomic);
}

/* Is `value` surely below `bound`, by what it is made of? */
static bool is_below(LLVMValueRef value, unsigned long long bound)
{
    if (LLVMIsAConstantInt(value))
        return LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
               LLVMConstIntGetZExtValue(value) < bound;
    if (LLVMIsAConstantDataVector(value) || LLVMIsAConstantVector(value)) {
        for (unsigned i = 0; i < ir_lanes(LLVMTypeOf(value)); i++) {
            LLVMValueRef lane = LLVMGetAggregateElement(value, i);

            if (!lane || !LLVMIsAConstantInt(lane) || !is_below(lane, bound))
                return false;
        }
        return true;
    }
    if (LLVMIsAZExtInst(value))
        return is_below(LLVMGetOperand(value, 0), bound);
    if (LLVMIsABinaryOperator(value) &&
        LLVMGetInstructionOpcode(value) == LLVMAnd)
        return is_below(LLVMGetOperand(value, 1), bound);
    return LLVMIsNull(value);
}

/* `value` modulo `bound` by a mask where bound is a power of two; otherwise 0
 * instead of what is too large. */
static LLVMValueRef bounded(LLVMBuilderRef builder, LLVMValueRef value,
                            unsigned bound)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    if (is_below(value, bound))
        return value;
    if ((bound & (bound - 1)) == 0)
        return LLVMBuildAnd(builder, value, ir_number(type, bound - 1), "");
    LLVMValueRef limit = ir_number(type, bound);
    LLVMValueRef is_less = LLVMBuildICmp(builder, LLVMIntULT, value, limit, "");
    return LLVMBuildSelect(builder, is_less, value, LLVMConstNull(type), "");
}

/* A type too narrow to hold its own width (i1, i2) is masked to what it holds.
 */
static void bound_shift(LLVMBuilderRef builder, LLVMValueRef inst)
{
    unsigned width = LLVMGetIntTypeWidth(ir_scalar(LLVMTypeOf(inst)));
    LLVMValueRef amount = LLVMGetOperand(inst, 1);

    if (width <= 2) {
        /* i1: only 0 is in range. i2: 2 and 3 become 0 and 1. */
        LLVMValueRef mask = ir_number(LLVMTypeOf(inst), (int64_t)width - 1);

        LLVMSetOperand(inst, 1, LLVMBuildAnd(builder, amount, mask, ""));
        return;
    }
    LLVMSetOperand(inst, 1, bounded(builder, amount, width));
}

/* The index is operand `position`; its type may be too narrow to overflow. */
static void bound_lane(LLVMBuilderRef builder, LLVMValueRef inst,
                       unsigned position)
{
    unsigned lanes = ir_lanes(LLVMTypeOf(LLVMGetOperand(inst, 0)));
    LLVMValueRef index = LLVMGetOperand(inst, position);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(index));

    if (width >= 32 || lanes >> width == 0)
        LLVMSetOperand(inst, position, bounded(builder, index, lanes));
}

static LLVMValueRef saturating(LLVMBuilderRef builder, LLVMValueRef inst)
{
    bool is_signed = LLVMGetInstructionOpcode(inst) == LLVMFPToSI;
    LLVMValueRef value = LLVMGetOperand(inst, 0);
    LLVMTypeRef types[] = {LLVMTypeOf(inst), LLVMTypeOf(value)};

    return ir_call_intrinsic(builder,
                             is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat",
                             types, 2, &value, 1);
}

/* The comparison by which the old value stays (max, min), if `op` is one. */
static LLVMValueRef build_keeps(LLVMBuilderRef b, LLVMAtomicRMWBinOp op,
                                LLVMValueRef old, LLVMValueRef by)
{
    switch ((int)op) {
    case LLVMAtomicRMWBinOpMax:
        return LLVMBuildICmp(b, LLVMIntSGT, old, by, "");
    case LLVMAtomicRMWBinOpMin:
        return LLVMBuildICmp(b, LLVMIntSLT, old, by, "");
    case LLVMAtomicRMWBinOpUMax:
        return LLVMBuildICmp(b, LLVMIntUGT, old, by, "");
    case LLVMAtomicRMWBinOpUMin:
        return LLVMBuildICmp(b, LLVMIntULT, old, by, "");
    case LLVMAtomicRMWBinOpFMax:
        return LLVMBuildFCmp(b, LLVMRealOGT, old, by, "");
    case LLVMAtomicRMWBinOpFMin:
        return LLVMBuildFCmp(b, LLVMRealOLT, old, by, "");
    default:
        return NULL;
    }
}

/* Counts up to `by` and starts again, or down from it. */
static LLVMValueRef build_wrap(LLVMBuilderRef b, LLVMAtomicRMWBinOp op,
                               LLVMValueRef old, LLVMValueRef by)
{
    LLVMTypeRef type = LLVMTypeOf(old);

    if (op == LLVMAtomicRMWBinOpUIncWrap) {
        LLVMValueRef next = LLVMBuildAdd(b, old, ir_number(type, 1), "");
        LLVMValueRef wraps = LLVMBuildICmp(b, LLVMIntUGE, old, by, "");

        return LLVMBuildSelect(b, wraps, LLVMConstNull(type), next, "");
    }
    LLVMValueRef next = LLVMBuildSub(b, old, ir_number(type, 1), "");
    LLVMValueRef is_zero = LLVMBuildIsNull(b, old, "");
    LLVMValueRef above = LLVMBuildICmp(b, LLVMIntUGT, old, by, "");
    return LLVMBuildSelect(b, LLVMBuildOr(b, is_zero, above, ""), by, next, "");
}

/* The new value that an atomicrmw stores; NULL if LLVM has a new operation. */
static LLVMValueRef updated(LLVMBuilderRef b, LLVMAtomicRMWBinOp op,
                            LLVMValueRef old, LLVMValueRef by)
{
    LLVMValueRef keeps = build_keeps(b, op, old, by);

    if (keeps)
        return LLVMBuildSelect(b, keeps, old, by, "");
    switch ((int)op) {
    case LLVMAtomicRMWBinOpXchg:
        return by;
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(b, old, by, "");
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(b, old, by, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(b, old, by, "");
    case LLVMAtomicRMWBinOpNand:
        return LLVMBuildNot(b, LLVMBuildAnd(b, old, by, ""), "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(b, old, by, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(b, old, by, "");
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMBuildFAdd(b, old, by, "");
    case LLVMAtomicRMWBinOpFSub:
        return LLVMBuildFSub(b, old, by, "");
    case LLVMAtomicRMWBinOpUIncWrap:
    case LLVMAtomicRMWBinOpUDecWrap:
        return build_wrap(b, op, old, by);
    default:
        return NULL;
    }
}

static LLVMValueRef load_plain(LLVMBuilderRef builder, LLVMTypeRef type,
                               LLVMValueRef from, LLVMValueRef like)
{
    LLVMValueRef load = LLVMBuildLoad2(builder, type, from, "");

    LLVMSetAlignment(load, 1);
    LLVMSetVolatile(load, LLVMGetVolatile(like));
    return load;
}

static void store_plain(LLVMBuilderRef builder, LLVMValueRef value,
                        LLVMValueRef to, LLVMValueRef like)
{
    LLVMValueRef store = LLVMBuildStore(builder, value, to);

    LLVMSetAlignment(store, 1);
    LLVMSetVolatile(store, LLVMGetVolatile(like));
}

static int plain_update(LLVMBuilderRef builder, LLVMValueRef inst,
                        struct err *err)
{
    LLVMValueRef to = LLVMGetOperand(inst, 0);
    LLVMValueRef by = LLVMGetOperand(inst, 1);
    LLVMValueRef old = load_plain(builder, LLVMTypeOf(by), to, inst);
    LLVMValueRef new = updated(builder, LLVMGetAtomicRMWBinOp(inst), old, by);

    if (!new)
        return err_set(err, ERR_SYSTEM, "atomicrmw: operation %d is not known",
                       (int)LLVMGetAtomicRMWBinOp(inst));
    store_plain(builder, new, to, inst);
    ir_replace(inst, old);
    return 0;
}

static void plain_exchange(LLVMBuilderRef builder, LLVMValueRef inst)
{
    LLVMValueRef to = LLVMGetOperand(inst, 0);
    LLVMValueRef expected = LLVMGetOperand(inst, 1);
    LLVMValueRef wanted = LLVMGetOperand(inst, 2);
    LLVMValueRef old = load_plain(builder, LLVMTypeOf(wanted), to, inst);
    LLVMValueRef equal = LLVMBuildICmp(builder, LLVMIntEQ, old, expected, "");

    store_plain(builder, LLVMBuildSelect(builder, equal, wanted, old, ""), to,
                inst);
    LLVMValueRef both = LLVMBuildInsertValue(
        builder, LLVMConstNull(LLVMTypeOf(inst)), old, 0, "");
    ir_replace(inst, LLVMBuildInsertValue(builder, both, equal, 1, ""));
}

static int define(LLVMBuilderRef builder, LLVMValueRef inst, struct err *err)
{
    switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
    case LLVMStore:
        plain_access(inst);
        break;
    case LLVMFence:
        LLVMInstructionEraseFromParent(inst);
        break;
    case LLVMAtomicRMW:
        ir_at(builder, inst);
        return plain_update(builder, inst, err);
    case LLVMAtomicCmpXchg:
        ir_at(builder, inst);
        plain_exchange(builder, inst);
        break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        ir_at(builder, inst);
        bound_shift(builder, inst);
        break;
    case LLVMExtractElement:
        ir_at(builder, inst);
        bound_lane(builder, inst, 1);
        break;
    case LLVMInsertElement:
        ir_at(builder, inst);
        bound_lane(builder, inst, 2);
        break;
    case LLVMFPToSI:
    case LLVMFPToUI:
        ir_at(builder, inst);
        ir_replace(inst, saturating(builder, inst));
        break;
    default:
        break;
    }
    return 0;
}

int lower_defined(LLVMModuleRef module, struct err *err)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct kept kept = {
        .debug = LLVMGetMDKindIDInContext(context, "dbg", 3),
        .prof = LLVMGetMDKindIDInContext(context, "prof", 4),
        .free_mark = LLVMGetMDKindIDInContext(context, "bout.free", 9),
    };
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);

    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        clear_flags(all.at[i]);
        clear_metadata(all.at[i], &kept);
        if (define(builder, all.at[i], err) < 0)
            return -1;
    }
    return 0;
}
