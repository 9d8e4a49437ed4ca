#include "instrument/meter/place.h"

#include "instrument/meter/body.h"
#include "instrument/meter/bound.h"
#include "instrument/meter/callgraph.h"
#include "instrument/meter/charge.h"
#include "instrument/meter/chord.h"
#include "instrument/meter/dominator.h"
#include "instrument/meter/frequency.h"
#include "instrument/meter/fuel.h"
#include "instrument/meter/hold.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/module.h"
#include "instrument/meter/native.h"
#include "instrument/meter/reference.h"
#include "instrument/meter/tree.h"
#include "runner/base/cleanup.h"

#include <stdlib.h>
#include <string.h>

struct place {
    const struct place_spec *spec;
    struct charge charge;
    struct callgraph graph;
    struct flow_summary *summary; /* by node of the graph */
    uint32_t node;                /* of the function at hand */
};

/* ---- what a call means ----------------------------------------------------
 */

static struct flow_summary native_summary(const struct native *native)
{
    return (struct flow_summary){
        .through = native->returns ? 0 : -1,
        .tail = -1,
        .tolerance = BOUND_MAX,
        .stops = native->stops,
    };
}

static struct flow_summary call_summary(void *context, LLVMValueRef call)
{
    struct place *place = context;
    LLVMValueRef callee = LLVMGetCalledValue(call);

    if (!LLVMIsAFunction(callee))
        return bound_unknown();
    uint32_t node = callgraph_find(&place->graph, callee);
    if (node != UINT32_MAX)
        return callgraph_is_round(&place->graph, place->node, node)
                   ? bound_unknown()
                   : place->summary[node];
    const struct native *native = native_find(ir_name(callee));
    if (native)
        return native_summary(native);
    const struct manifest_symbol *symbol =
        place->spec->library
            ? manifest_find(place->spec->library, ir_name(callee))
            : NULL;
    return symbol && symbol->is_function ? symbol->summary : bound_unknown();
}

/* ---- one function ---------------------------------------------------------
 */

/* The function as it is placed, in every kind of placement. */
struct placing {
    struct body body;
    struct flow flow;
    struct loops loops;
    struct bound bound;
    struct tree tree;
    struct plan plan;
    struct holds holds;
};

static void release_placing(struct placing *placing)
{
    body_release(&placing->body);
    flow_release(&placing->flow);
    loop_release(&placing->loops);
    bound_release(&placing->bound);
    tree_release(&placing->tree);
    plan_release(&placing->plan);
    hold_release(&placing->holds);
}

/* Chords, and checks among them, until no further check is needed. */
static void choose(struct placing *placing)
{
    do {
        tree_release(&placing->tree);
        tree_chords(&placing->tree, &placing->flow);
        fuel_choose(&placing->flow, &placing->tree);
        bound_release(&placing->bound);
    } while (bound_find(&placing->bound, &placing->flow, &placing->loops));
}

/* Cuts blocks until checks have room between calls. */
static void find_bounds(struct place *place, struct placing *placing)
{
    const struct body_calls calls = {.summary = call_summary, .context = place};

    for (;;) {
        body_flow(&placing->body, &calls, &placing->flow);
        dominator_find(&placing->flow);
        loop_find(&placing->flow, &placing->loops);
        frequency_find(&placing->flow);
        choose(placing);
        if (!placing->bound.cut_count)
            return;
        body_cut(&placing->body, &placing->bound);
        loop_release(&placing->loops);
        flow_release(&placing->flow);
    }
}

static void find_chords(struct place *place, struct placing *placing)
{
    const struct body *body = &placing->body;
    auto_free uint32_t *site = mem_calloc(body->site_count + 1, sizeof *site);

    find_bounds(place, placing);
    body_mark(&placing->body);
    for (uint32_t i = 0; i < body->site_count; i++)
        site[i] = body->site[i].block;
    tree_finish(&placing->tree, &placing->flow, site, body->site_count);
    place->summary[place->node] = placing->bound.summary;
    struct flow_summary *summary = &place->summary[place->node];
    summary->stops = placing->tree.stop_count > 0;
    for (uint32_t i = 0; i < placing->flow.call_count; i++)
        summary->stops |= placing->flow.call[i].callee.stops;
}

static void make_plan(const struct placing *placing, enum placement placement,
                      struct plan *plan)
{
    const struct tree *tree = &placing->tree;
    uint32_t fuel = 0;

    *plan = (struct plan){
        .fuel_count = tree->fuel_count,
        .counter_count = tree->counter_count,
        .stop_count = tree->stop_count,
        .reference_count = reference_count(&placing->body, placement),
    };
    plan->weight = mem_calloc(tree_word_count(tree) + 1, sizeof *plan->weight);
    plan->price = mem_calloc(tree->fuel_count + 1, sizeof *plan->price);
    tree_weights(tree, plan->weight);
    for (uint32_t i = 0; i < tree->edge_count; i++)
        if (tree->edge[i].is_chord &&
            tree_is_check(&placing->flow, &tree->edge[i]))
            plan->price[fuel++] = tree_price(&placing->flow, &tree->edge[i]);
}

/* The words by which the blockmap's pieces and sites are counted. */
static void describe(const struct placing *placing, enum placement placement,
                     struct blockmap *map)
{
    const struct body *body = &placing->body;
    const struct tree *tree = &placing->tree;
    uint32_t first = tree_word_count(tree);
    bool chords = placement_has_chords(placement);
    auto_free uint32_t *block = mem_calloc(map->block_count + 1, sizeof *block);
    auto_free uint32_t *reference =
        mem_calloc(map->block_count + 1, sizeof *reference);
    auto_free uint32_t *site = mem_calloc(map->site_count + 1, sizeof *site);

    for (uint32_t i = 0; i < body->block_count; i++) {
        uint32_t piece = body->block[i].piece;

        if (piece == FLOW_NONE)
            continue;
        reference[piece] = first + i;
        block[piece] = chords                             ? tree->block_word[i]
                       : placement == PLACEMENT_REFERENCE ? first + i
                                                          : FLOW_NONE;
    }
    for (uint32_t i = 0; i < body->site_count; i++)
        site[body->site[i].number] =
            chords ? tree_site_word(tree, body->site_count, i)
                   : first + body->block_count + i;
    if (!chords && placement != PLACEMENT_REFERENCE)
        map->site_count = 0; /* nothing is counted */
    blockmap_close_function(
        map, &(struct blockmap_words){
                 .tree = tree,
                 .block = block,
                 .site = site,
                 .reference = placement == PLACEMENT_BOTH ? reference : NULL,
                 .reference_count = reference_count(body, placement),
             });
}

static void place_function(struct place *place, LLVMValueRef function)
{
    enum placement placement = place->spec->placement;
    __attribute__((cleanup(release_placing))) struct placing placing = {0};

    blockmap_open_function(place->spec->map, function);
    body_open(&placing.body, function, &place->charge, place->spec->map);
    if (placement_has_chords(placement))
        find_chords(place, &placing);
    make_plan(&placing, placement, &placing.plan);
    placing.plan.summary = place->summary[place->node];
    describe(&placing, placement, place->spec->map);
    const struct chord chord = {&placing.body, &placing.flow, &placing.tree,
                                &placing.plan, &placing.holds};
    if (placement_has_chords(placement)) {
        hold_find(&placing.holds,
                  &(struct hold_spec){&placing.body, &placing.flow,
                                      &placing.loops, &placing.tree,
                                      &placing.plan});
        chord_place_edges(&chord);
    } else {
        body_mark(&placing.body);
    }
    if (placement != PLACEMENT_CHORDS && placement != PLACEMENT_NONE)
        reference_place(&placing.body, placement, &placing.plan);
    if (placement_has_chords(placement))
        chord_place_blocks(&chord);
    plan_write(function, &placing.plan);
}

/* ---- the module -----------------------------------------------------------
 */

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

int place_module(LLVMModuleRef module, const struct place_spec *spec,
                 struct err *err)
{
    struct place place = {.spec = spec};

    charge_init(&place.charge, module);
    callgraph_open(&place.graph, module);
    place.summary = mem_calloc(place.graph.count + 1, sizeof *place.summary);
    for (uint32_t i = 0; i < place.graph.count; i++) {
        place.node = place.graph.order[i];
        place_function(&place, place.graph.node[place.node].function);
    }
    delete_charge_calls(module);
    free(place.summary);
    callgraph_release(&place.graph);
    return module_run(module, "mem2reg", err); /* hold.h */
}
