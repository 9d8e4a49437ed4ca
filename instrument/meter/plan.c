#include "instrument/meter/plan.h"

#include "instrument/meter/ir.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdlib.h>

#define HEAD_WORDS 10u

void plan_release(struct plan *plan)
{
    free(plan->weight);
    free(plan->price);
    *plan = (struct plan){0};
}

static unsigned kind_in(LLVMContextRef context)
{
    return LLVMGetMDKindIDInContext(context, "bout.plan", 9);
}

static uint32_t words_of(const struct plan *plan)
{
    return plan->fuel_count + plan->counter_count + plan->stop_count;
}

void plan_write(LLVMValueRef function, const struct plan *plan)
{
    LLVMContextRef context = ir_context_of(function);
    uint32_t words = words_of(plan);
    uint32_t count = HEAD_WORDS + words + plan->fuel_count;
    auto_free LLVMValueRef *value = mem_calloc(count, sizeof(LLVMValueRef));

    value[0] = ir_i64(context, plan->fuel_count);
    value[1] = ir_i64(context, plan->counter_count);
    value[2] = ir_i64(context, plan->stop_count);
    value[3] = ir_i64(context, plan->reference_count);
    value[4] = ir_i64(context, (uint64_t)plan->summary.through);
    value[5] = ir_i64(context, (uint64_t)plan->summary.tail);
    value[6] = ir_i64(context, (uint64_t)plan->summary.head);
    value[7] = ir_i64(context, (uint64_t)plan->summary.tolerance);
    value[8] = ir_i64(context, plan->summary.checks);
    value[9] = ir_i64(context, plan->summary.stops);
    for (uint32_t i = 0; i < words; i++)
        value[HEAD_WORDS + i] = ir_i64(context, (uint64_t)plan->weight[i]);
    for (uint32_t i = 0; i < plan->fuel_count; i++)
        value[HEAD_WORDS + words + i] = ir_i64(context, plan->price[i]);
    LLVMMetadataRef all = LLVMValueAsMetadata(
        LLVMConstArray2(LLVMInt64TypeInContext(context), value, count));
    LLVMGlobalSetMetadata(function, kind_in(context),
                          LLVMMDNodeInContext2(context, &all, 1));
}

static LLVMValueRef written(LLVMValueRef function)
{
    LLVMContextRef context = ir_context_of(function);
    size_t count;
    LLVMValueMetadataEntry *entries =
        LLVMGlobalCopyAllMetadata(function, &count);
    LLVMValueRef found = NULL;

    for (unsigned i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(entries, i) != kind_in(context))
            continue;
        LLVMValueRef node = LLVMMetadataAsValue(
            context, LLVMValueMetadataEntriesGetMetadata(entries, i));
        LLVMGetMDNodeOperands(node, &found);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

static uint64_t element(LLVMValueRef array, uint32_t index)
{
    return LLVMConstIntGetZExtValue(LLVMGetAggregateElement(array, index));
}

bool plan_read(LLVMValueRef function, struct plan *plan)
{
    LLVMValueRef array = written(function);

    *plan = (struct plan){0};
    if (!array)
        return false;
    plan->fuel_count = (uint32_t)element(array, 0);
    plan->counter_count = (uint32_t)element(array, 1);
    plan->stop_count = (uint32_t)element(array, 2);
    plan->reference_count = (uint32_t)element(array, 3);
    plan->summary = (struct flow_summary){
        .through = (int64_t)element(array, 4),
        .tail = (int64_t)element(array, 5),
        .head = (int64_t)element(array, 6),
        .tolerance = (int64_t)element(array, 7),
        .checks = element(array, 8) != 0,
        .stops = element(array, 9) != 0,
    };
    uint32_t words = words_of(plan);
    plan->weight = mem_calloc(words + 1, sizeof *plan->weight);
    plan->price = mem_calloc(plan->fuel_count + 1, sizeof *plan->price);
    for (uint32_t i = 0; i < words; i++)
        plan->weight[i] = (int64_t)element(array, HEAD_WORDS + i);
    for (uint32_t i = 0; i < plan->fuel_count; i++)
        plan->price[i] = element(array, HEAD_WORDS + words + i);
    return true;
}

static LLVMValueRef array_of(LLVMValueRef function, const char *prefix,
                             uint32_t count)
{
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(ir_context_of(function));
    auto_free char *name = mem_format("%s%s", prefix, ir_name(function));
    LLVMValueRef array = LLVMGetNamedGlobal(module, name);

    if (array)
        return array;
    return LLVMAddGlobalInAddressSpace(module, LLVMArrayType2(i64, count), name,
                                       IR_HIDDEN_SPACE);
}

const char *plan_prefix(unsigned group)
{
    static const char *const prefixes[PLAN_GROUPS] = {
        PLAN_FUEL_PREFIX, PLAN_COUNTER_PREFIX, PLAN_STOP_PREFIX,
        PLAN_REFERENCE_PREFIX};

    return prefixes[group];
}

uint32_t plan_count(const struct plan *plan, unsigned group)
{
    const uint32_t counts[PLAN_GROUPS] = {plan->fuel_count, plan->counter_count,
                                          plan->stop_count,
                                          plan->reference_count};

    return counts[group];
}

LLVMValueRef plan_address(LLVMValueRef function, const struct plan *plan,
                          uint32_t word)
{
    LLVMContextRef context = ir_context_of(function);
    unsigned group = 0;

    while (word >= plan_count(plan, group))
        word -= plan_count(plan, group++);
    LLVMValueRef offset = ir_i64(context, (uint64_t)word * 8);
    return LLVMConstInBoundsGEP2(
        LLVMInt8TypeInContext(context),
        array_of(function, plan_prefix(group), plan_count(plan, group)),
        &offset, 1);
}
