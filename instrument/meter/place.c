#include "instrument/meter/place.h"

#include "instrument/meter/bulk.h"
#include "instrument/meter/charge.h"
#include "instrument/meter/ir.h"
#include "runner/base/cleanup.h"

#include <stdbool.h>
#include <stdlib.h>

/* Something to be put before an instruction: the start of a piece that costs
 * `charge`, or the check of a bulk site. */
struct place_event {
    LLVMValueRef before;
    uint32_t counter;
    uint64_t charge; /* of a piece; one of 0 is not placed */
    bool is_site;
};

struct place {
    LLVMModuleRef module;
    struct charge charge;
    struct blockmap *map;
    LLVMBuilderRef builder;

    /* Of the function at hand. */
    LLVMValueRef function;
    LLVMValueRef counters; /* C.f */
    LLVMBasicBlockRef stop;
    struct place_event *events;
    size_t event_count, event_capacity;
};

/* ---- plan -----------------------------------------------------------------
 */

static struct place_event *add_event(struct place *place, LLVMValueRef before,
                                     uint32_t counter)
{
    if (place->event_count == place->event_capacity) {
        place->event_capacity =
            place->event_capacity ? 2 * place->event_capacity : 256;
        place->events = mem_realloc(place->events, place->event_capacity *
                                                       sizeof *place->events);
    }
    struct place_event *event = &place->events[place->event_count++];
    *event = (struct place_event){.before = before, .counter = counter};
    return event;
}

/* Opens a piece; the result indexes place->events. */
static size_t open_piece(struct place *place, LLVMValueRef before)
{
    add_event(place, before, blockmap_open_block(place->map));
    return place->event_count - 1;
}

static void close_piece(struct place *place, size_t piece)
{
    place->events[piece].charge = blockmap_close_block(place->map);
}

static bool returns_twice(LLVMValueRef inst)
{
    return ir_is_call_of(inst, "__bout_setjmp");
}

static void plan_block(struct place *place, LLVMBasicBlockRef block)
{
    size_t piece = open_piece(place, ir_first_non_phi(block));
    bool cut = false;

    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst)) {
        uint64_t cost = charge_instruction(&place->charge, inst);
        uint64_t price = 0;
        bool is_site = bulk_is_call(inst) && !bulk_is_known(inst, &price);

        cost = charge_add(cost, price);
        if (cut || (place->map->charge &&
                    charge_add(place->map->charge, cost) > COST_BLOCK_MAX &&
                    !LLVMIsAPHINode(inst))) {
            close_piece(place, piece);
            piece = open_piece(place, inst);
        }
        blockmap_add_instruction(place->map, inst, cost);
        if (is_site)
            add_event(place, inst, blockmap_add_site(place->map, inst))
                ->is_site = true;
        cut = returns_twice(inst);
    }
    close_piece(place, piece);
}

/* ---- place ----------------------------------------------------------------
 */

static LLVMBasicBlockRef stop_block(struct place *place)
{
    if (place->stop)
        return place->stop;
    place->stop = ir_append_block(place->function);
    LLVMPositionBuilderAtEnd(place->builder, place->stop);
    LLVMSetCurrentDebugLocation2(place->builder, NULL);
    ir_call(place->builder, "__bout_stop",
            LLVMVoidTypeInContext(LLVMGetModuleContext(place->module)), NULL,
            0);
    ir_call_intrinsic(place->builder, "llvm.trap", NULL, 0, NULL, 0);
    LLVMBuildUnreachable(place->builder);
    return place->stop;
}

/* *at += amount, or -= if `subtract`; returns the new value. */
static LLVMValueRef build_change(LLVMBuilderRef builder, LLVMValueRef at,
                                 LLVMValueRef amount, bool subtract)
{
    LLVMValueRef was = LLVMBuildLoad2(builder, LLVMTypeOf(amount), at, "");
    LLVMValueRef is = subtract ? LLVMBuildSub(builder, was, amount, "")
                               : LLVMBuildAdd(builder, was, amount, "");

    LLVMSetAlignment(was, 8);
    LLVMSetAlignment(LLVMBuildStore(builder, is, at), 8);
    return is;
}

static LLVMValueRef counter_address(const struct place *place, uint32_t counter)
{
    LLVMContextRef context = LLVMGetModuleContext(place->module);
    LLVMValueRef offset = ir_i64(context, (uint64_t)counter * 8);

    return LLVMConstInBoundsGEP2(LLVMInt8TypeInContext(context),
                                 place->counters, &offset, 1);
}

/* The counter comes first, so that the subtraction's own sign flag is tested.
 */
static void place_event(struct place *place, const struct place_event *event)
{
    LLVMContextRef context = LLVMGetModuleContext(place->module);
    LLVMBuilderRef builder = place->builder;
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(event->before);
    LLVMBasicBlockRef stop = stop_block(place);
    LLVMBasicBlockRef head = ir_split_before(event->before);

    ir_at_end(builder, head, event->before);
    LLVMValueRef amount = event->is_site
                              ? bulk_build_price(builder, event->before)
                              : ir_i64(context, event->charge);
    LLVMValueRef count = event->is_site ? amount : ir_i64(context, 1);
    build_change(builder, counter_address(place, event->counter), count, false);
    LLVMValueRef left = build_change(
        builder, ir_hidden(place->module, "__bout_remaining"), amount, true);
    LLVMValueRef over =
        LLVMBuildICmp(builder, LLVMIntSLT, left, ir_i64(context, 0), "");
    LLVMBuildCondBr(builder, over, stop, rest);
}

static void place_events(struct place *place)
{
    for (size_t i = 0; i < place->event_count; i++)
        if (place->events[i].charge || place->events[i].is_site)
            place_event(place, &place->events[i]);
}

/* `__bout_charge` has been paid for where it stands. */
static void delete_charge_calls(LLVMModuleRef module)
{
    LLVMValueRef charge = LLVMGetNamedFunction(module, "__bout_charge");
    auto_ir_list struct ir_list calls = {0};

    if (!charge)
        return;
    ir_call_users(charge, &calls);
    for (size_t i = 0; i < calls.count; i++)
        LLVMInstructionEraseFromParent(calls.at[i]);
}

static LLVMValueRef declare_counters(struct place *place, uint32_t count)
{
    LLVMTypeRef i64 =
        LLVMInt64TypeInContext(LLVMGetModuleContext(place->module));
    auto_free char *name =
        mem_format(PLACE_COUNTER_PREFIX "%s", ir_name(place->function));

    return LLVMAddGlobalInAddressSpace(
        place->module, LLVMArrayType2(i64, count), name, IR_HIDDEN_SPACE);
}

static void place_function(struct place *place, LLVMValueRef function)
{
    place->function = function;
    place->stop = NULL;
    place->event_count = 0;

    blockmap_open_function(place->map, function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        plan_block(place, block);
    uint32_t counters = blockmap_close_function(place->map);

    place->counters = declare_counters(place, counters);
    place_events(place);
}

LLVMValueRef place_counters(LLVMModuleRef module, LLVMValueRef function)
{
    auto_free char *name =
        mem_format(PLACE_COUNTER_PREFIX "%s", ir_name(function));

    return LLVMGetNamedGlobal(module, name);
}

void place_module(LLVMModuleRef module, struct blockmap *map)
{
    auto_ir_list struct ir_list bodies = {0};
    struct place place = {
        .module = module,
        .map = map,
        .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
    };

    charge_init(&place.charge, module);
    ir_bodies(module, &bodies);
    for (size_t i = 0; i < bodies.count; i++)
        place_function(&place, bodies.at[i]);
    delete_charge_calls(module);
    free(place.events);
    LLVMDisposeBuilder(place.builder);
}
