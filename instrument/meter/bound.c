#include "instrument/meter/bound.h"

#include "instrument/meter/order.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdlib.h>

#define NO_PATH (-1)
/* From the entry to a check: a path, and a block. */
#define BOUND_HEAD (BOUND_PATH + BOUND_BLOCK)

/* The heaviest check-free ways to a point, by where they began. */
struct reach {
    int64_t entry; /* the function's entry */
    int64_t call;  /* a check inside a callee that has returned */
    int64_t check; /* a check of this function */
};

static const struct reach nowhere = {NO_PATH, NO_PATH, NO_PATH};

struct flow_summary bound_unknown(void)
{
    return (struct flow_summary){
        .through = BOUND_SUMMARY,
        .tail = BOUND_SUMMARY,
        .head = BOUND_HEAD,
        .tolerance = BOUND_TOLERANCE,
        .checks = true,
        .stops = true,
    };
}

void bound_release(struct bound *bound)
{
    free(bound->cut);
    *bound = (struct bound){0};
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t further(int64_t way, int64_t by)
{
    return way < 0 || by < 0 ? NO_PATH : way + by;
}

static int64_t longest(const struct reach *reach)
{
    return most(reach->entry, most(reach->call, reach->check));
}

static struct reach join(struct reach a, struct reach b)
{
    return (struct reach){most(a.entry, b.entry), most(a.call, b.call),
                          most(a.check, b.check)};
}

static struct reach beyond(struct reach at, int64_t cost)
{
    return (struct reach){further(at.entry, cost), further(at.call, cost),
                          further(at.check, cost)};
}

static struct reach after_call(struct reach at,
                               const struct flow_summary *callee)
{
    at = beyond(at, callee->through);
    if (callee->checks)
        at.call = most(at.call, callee->tail);
    return at;
}

/* ---- where checks must be -------------------------------------------------
 */

struct search {
    struct bound *bound;
    struct flow *flow;
    struct reach *out; /* of each block */
    uint32_t *order;   /* reached blocks, each behind what leads to it */
    bool added;        /* a check that was none */
};

static void add_cut(struct bound *bound, uint32_t block, uint32_t call)
{
    if (bound->cut_count == bound->cut_capacity) {
        bound->cut_capacity = bound->cut_capacity * 2 + 8;
        bound->cut =
            mem_realloc(bound->cut, bound->cut_capacity * sizeof *bound->cut);
    }
    bound->cut[bound->cut_count++] =
        (struct bound_cut){.block = block, .call = call};
}

/* A call is all right here: not too far since the last check, nor too much that
 * the callee's checks would not pay for. */
static bool may_call(struct reach at, const struct flow_summary *callee,
                     int64_t limit)
{
    struct reach after = after_call(at, callee);

    if (longest(&after) > limit)
        return false;
    if (!callee->checks)
        return true;
    return longest(&at) + callee->head <= (int64_t)BOUND_MAX &&
           further(at.entry, callee->head) <= BOUND_HEAD &&
           at.call <= callee->tolerance &&
           (at.entry < 0 || callee->tolerance - at.entry >= BOUND_TOLERANCE);
}

/* Goes through the block's calls. Where one is too much, a check has to stand
 * before it: the block's own if nothing else stands between (false), else a
 * cut's. */
static bool pass_calls(struct search *search, uint32_t number, struct reach *at)
{
    const struct flow_block *block = &search->flow->block[number];
    int64_t limit = block->returns ? BOUND_SUMMARY : BOUND_PATH;
    bool is_fresh = block->is_check; /* no call since the block's check */

    for (uint32_t i = 0; i < block->call_count; i++) {
        const struct flow_call *call = &search->flow->call[block->call + i];

        if (!may_call(*at, &call->callee, limit)) {
            if (!is_fresh && i == 0)
                return false;
            if (!is_fresh)
                add_cut(search->bound, number, i);
            *at = nowhere;
            at->check = 0;
        }
        is_fresh = false;
        *at = after_call(*at, &call->callee);
    }
    return true;
}

static struct reach at_check(void)
{
    struct reach at = nowhere;

    at.check = 0;
    return at;
}

static void pass_check(struct search *search, uint32_t number)
{
    struct reach at = at_check();

    if (search->flow->block[number].times > 1)
        add_cut(search->bound, number, BOUND_UNFOLD);
    pass_calls(search, number, &at);
    search->out[number] = at;
}

static void make_check(struct search *search, uint32_t number)
{
    struct flow_block *block = &search->flow->block[number];

    search->added = true;
    block->is_check = true;
    block->is_forced = true;
    pass_check(search, number);
}

static struct reach arriving(const struct flow *flow, const struct reach *out,
                             uint32_t number)
{
    const struct flow_block *block = &flow->block[number];
    struct reach at = nowhere;

    if (number == 0)
        at.entry = 0;
    for (uint32_t i = 0; i < block->in_count; i++) {
        const struct flow_edge *edge = &flow->edge[flow->in[block->in + i]];

        /* What is before a check need not be known yet. */
        if (flow->block[edge->from].is_reached)
            at = join(at, edge->is_check ? at_check() : out[edge->from]);
    }
    return at;
}

static bool comes_too_far(const struct search *search, uint32_t number,
                          const struct flow_edge *edge)
{
    const struct flow_block *block = &search->flow->block[number];
    int64_t limit = block->returns ? BOUND_SUMMARY : BOUND_PATH;

    if (edge->is_check || !search->flow->block[edge->from].is_reached)
        return false;
    return longest(&search->out[edge->from]) + (int64_t)block->cost > limit;
}

/* Checks on the ways in that come too far, where those are rarer than the block
 * and nothing else is in the way of its being none. */
static bool check_ways_in(struct search *search, uint32_t number)
{
    struct flow *flow = search->flow;
    const struct flow_block *block = &flow->block[number];
    uint64_t price = 0;

    if (block->call_count || block->cost > BOUND_SUMMARY)
        return false;
    for (uint32_t i = 0; i < block->in_count; i++) {
        const struct flow_edge *edge = &flow->edge[flow->in[block->in + i]];

        if (!comes_too_far(search, number, edge))
            continue;
        if (flow->block[edge->from].is_setjmp)
            return false;
        price = flow_add(price, flow_edge_price(flow, edge));
    }
    if (price >= block->frequency)
        return false;
    for (uint32_t i = 0; i < block->in_count; i++) {
        struct flow_edge *edge = &flow->edge[flow->in[block->in + i]];

        if (comes_too_far(search, number, edge))
            edge->is_check = edge->is_forced = true;
    }
    search->added = true;
    struct reach in = arriving(flow, search->out, number);
    search->out[number] = beyond(in, (int64_t)block->cost);
    return true;
}

static void settle(struct search *search, uint32_t number)
{
    struct flow_block *block = &search->flow->block[number];
    int64_t limit = block->returns ? BOUND_SUMMARY : BOUND_PATH;

    if (block->is_check)
        return;
    struct reach in = arriving(search->flow, search->out, number);
    struct reach at = beyond(in, (int64_t)block->cost);
    bool fits = longest(&at) <= limit && block->cost <= BOUND_BLOCK;
    if (fits && pass_calls(search, number, &at)) {
        search->out[number] = at;
        return;
    }
    if (!check_ways_in(search, number))
        make_check(search, number);
}

/* Alone, since it moves the cuts of calls. A dear block's own check would come
 * too late for what was executed before. */
static void cut_before_dear(struct search *search, uint32_t number)
{
    const struct flow_block *block = &search->flow->block[number];
    struct reach in = arriving(search->flow, search->out, number);

    if (block->cost > BOUND_BLOCK && longest(&in) > 0)
        add_cut(search->bound, number, BOUND_BEFORE_ALL);
}

static void find_checks(struct search *search)
{
    struct flow *flow = search->flow;

    for (uint32_t i = 0; i < flow->block_count; i++)
        search->out[i] = nowhere;
    for (uint32_t i = 0; i < flow->order_count; i++)
        if (flow->block[flow->order[i]].is_check)
            pass_check(search, flow->order[i]);
    for (uint32_t i = 0; i < flow->order_count; i++)
        settle(search, search->order[i]);
    if (search->bound->cut_count)
        return;
    for (uint32_t i = 0; i < flow->order_count; i++)
        cut_before_dear(search, flow->order[i]);
}

void bound_force(struct flow *flow)
{
    for (uint32_t i = 0; i < flow->block_count; i++) {
        struct flow_block *block = &flow->block[i];

        block->is_forced |= block->is_reached && (block->is_entered_again ||
                                                  block->cost > BOUND_BLOCK);
    }
}

/* ---- prices ---------------------------------------------------------------
 */

static struct reach out_of(const struct flow *flow, uint32_t number,
                           struct reach in)
{
    const struct flow_block *block = &flow->block[number];
    struct reach at = beyond(in, (int64_t)block->cost);

    if (block->is_check) {
        at = nowhere;
        at.check = 0;
    }
    for (uint32_t i = 0; i < block->call_count; i++)
        at = after_call(at, &flow->call[block->call + i].callee);
    return at;
}

static void raise_price(uint64_t *price, int64_t way)
{
    if (way >= 0 && *price < (uint64_t)way)
        *price = (uint64_t)way;
}

static void raise_post(struct flow_block *block, int64_t way)
{
    raise_price(&block->price, further(way, (int64_t)block->cost));
}

/* What cannot be paid beforehand, for the checks of the whole function. */
static void post_of_function(struct flow *flow, const struct reach *out)
{
    for (uint32_t i = 0; i < flow->order_count; i++) {
        struct flow_block *block = &flow->block[flow->order[i]];
        struct reach in = arriving(flow, out, flow->order[i]);

        if (!block->is_check)
            continue;
        block->price = 1;
        raise_post(block, further(in.entry, BOUND_TOLERATED));
        raise_post(block, in.call);
        if (block->is_entered_again)
            raise_post(block, BOUND_PATH);
        if (block->loop == FLOW_NONE)
            raise_post(block, in.check);
    }
}

/* As arriving, from the loop's own blocks. An edge's check counts however it is
 * reached. */
static struct reach arriving_inside(const struct flow *flow,
                                    const struct reach *out,
                                    const uint32_t *inside, uint32_t number)
{
    const struct flow_block *block = &flow->block[number];
    struct reach at = nowhere;

    for (uint32_t i = 0; i < block->in_count; i++) {
        const struct flow_edge *edge = &flow->edge[flow->in[block->in + i]];

        if (inside[edge->from])
            at = join(at, edge->is_check ? at_check() : out[edge->from]);
    }
    return at;
}

static void post_of_edges(struct flow *flow, const struct reach *out)
{
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_edge *edge = &flow->edge[i];
        const struct reach *in = &out[edge->from];

        if (!edge->is_check)
            continue;
        edge->price = 1;
        raise_price(&edge->price, further(in->entry, BOUND_TOLERATED));
        raise_price(&edge->price, in->call);
        if (loop_of_edge(flow, edge) == FLOW_NONE)
            raise_price(&edge->price, in->check);
    }
}

/* What comes from inside a loop, for the checks that have it as innermost. The
 * ways of the loop's blocks are found anew, from its own checks alone. */
static void post_of_loop(const struct search *search, const struct loop *loop,
                         struct reach *out, const uint32_t *inside)
{
    struct flow *flow = search->flow;

    for (uint32_t i = 0; i < flow->block_count; i++)
        out[i] = nowhere;
    for (uint32_t i = 0; i < loop->block_count; i++)
        if (flow->block[loop->block[i]].is_check)
            out[loop->block[i]] = out_of(flow, loop->block[i], nowhere);
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t number = search->order[i];
        struct flow_block *block = &flow->block[number];

        if (!inside[number])
            continue;
        struct reach in = arriving_inside(flow, out, inside, number);
        out[number] = out_of(flow, number, in);
        if (block->is_check && block->loop == loop->header)
            raise_post(block, longest(&in));
    }
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_edge *edge = &flow->edge[i];

        if (edge->is_check && inside[edge->from] && inside[edge->to] &&
            loop_of_edge(flow, edge) == loop->header)
            raise_price(&edge->price, longest(&out[edge->from]));
    }
}

static void post_of_loops(const struct search *search,
                          const struct loops *loops, struct reach *out)
{
    auto_free uint32_t *inside =
        mem_calloc(search->flow->block_count + 1, sizeof *inside);

    for (uint32_t i = 0; i < loops->count; i++) {
        const struct loop *loop = &loops->at[i];

        for (uint32_t k = 0; k < loop->block_count; k++)
            inside[loop->block[k]] = 1;
        post_of_loop(search, loop, out, inside);
        for (uint32_t k = 0; k < loop->block_count; k++)
            inside[loop->block[k]] = 0;
    }
}

/* What the way on from behind the block's own charge needs paid beforehand;
 * negative: nothing. `need` holds that of each block's start. */
static int64_t need_behind(const struct flow *flow, const int64_t *need,
                           uint32_t number)
{
    const struct flow_block *block = &flow->block[number];
    int64_t way = INT32_MIN;

    for (uint32_t i = 0; i < block->edge_count; i++) {
        const struct flow_edge *edge = &flow->edge[block->edge + i];

        way =
            most(way, edge->is_check ? -(int64_t)edge->price : need[edge->to]);
    }
    for (uint32_t i = block->call_count; i-- > 0;) {
        const struct flow_summary *callee = &flow->call[block->call + i].callee;

        way = callee->through < 0 ? INT32_MIN : way + callee->through;
        if (callee->checks)
            way = most(way, -callee->tolerance);
    }
    return way;
}

static void add_credit(const struct search *search)
{
    struct flow *flow = search->flow;
    auto_free int64_t *need = mem_calloc(flow->block_count + 1, sizeof *need);
    auto_free int64_t *credit =
        mem_calloc(flow->block_count + 1, sizeof *credit);

    for (uint32_t i = 0; i < flow->order_count; i++) {
        const struct flow_block *block = &flow->block[flow->order[i]];

        if (block->is_check)
            need[flow->order[i]] = (int64_t)block->cost - (int64_t)block->price;
    }
    for (uint32_t i = flow->order_count; i-- > 0;) {
        uint32_t number = search->order[i];

        if (!flow->block[number].is_check)
            need[number] = (int64_t)flow->block[number].cost +
                           need_behind(flow, need, number);
    }
    /* All needs are by the prices without credits. */
    for (uint32_t i = 0; i < flow->order_count; i++)
        credit[flow->order[i]] = need_behind(flow, need, flow->order[i]);
    for (uint32_t i = 0; i < flow->order_count; i++) {
        struct flow_block *block = &flow->block[flow->order[i]];

        if (block->is_check && credit[flow->order[i]] > 0)
            block->price += (uint64_t)credit[flow->order[i]];
    }
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_edge *edge = &flow->edge[i];

        if (edge->is_check && need[edge->to] > 0)
            edge->price += (uint64_t)need[edge->to];
    }
}

/* ---- summary --------------------------------------------------------------
 */

static void reach_check(struct flow_summary *summary, int64_t entry,
                        int64_t head, int64_t tolerance)
{
    if (entry < 0)
        return;
    summary->head = most(summary->head, entry + head);
    summary->tolerance = least(summary->tolerance, tolerance - entry);
}

static void summarise_calls(struct flow_summary *summary,
                            const struct flow *flow, uint32_t number,
                            struct reach at)
{
    const struct flow_block *block = &flow->block[number];

    for (uint32_t i = 0; i < block->call_count; i++) {
        const struct flow_summary *callee = &flow->call[block->call + i].callee;

        if (callee->checks)
            reach_check(summary, at.entry, callee->head, callee->tolerance);
        summary->checks |= callee->checks;
        at = after_call(at, callee);
    }
    if (!block->returns)
        return;
    summary->through = most(summary->through, at.entry);
    summary->tail = most(summary->tail, most(at.call, at.check));
}

static void summarise_edges(struct flow_summary *summary,
                            const struct flow *flow, uint32_t number,
                            const struct reach *out)
{
    const struct flow_block *block = &flow->block[number];

    for (uint32_t i = 0; i < block->edge_count; i++) {
        if (!flow->edge[block->edge + i].is_check)
            continue;
        summary->checks = true;
        reach_check(summary, out[number].entry, 0,
                    BOUND_TOLERATED + out[number].entry);
    }
}

static void summarise(struct search *search)
{
    const struct flow *flow = search->flow;
    struct flow_summary *summary = &search->bound->summary;

    *summary = (struct flow_summary){
        .through = NO_PATH, .tail = NO_PATH, .tolerance = BOUND_MAX};
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t number = flow->order[i];
        const struct flow_block *block = &flow->block[number];
        struct reach in = arriving(flow, search->out, number);
        struct reach at = beyond(in, (int64_t)block->cost);

        summarise_edges(summary, flow, number, search->out);
        if (block->is_check) {
            summary->checks = true;
            reach_check(summary, in.entry, (int64_t)block->cost,
                        BOUND_TOLERATED + in.entry); /* as post pays */
            at = nowhere;
            at.check = 0;
        }
        summarise_calls(summary, flow, number, at);
    }
    summary->tail = summary->checks ? most(summary->tail, 0) : NO_PATH;
}

bool bound_find(struct bound *bound, struct flow *flow,
                const struct loops *loops)
{
    auto_free struct reach *out =
        mem_calloc(flow->block_count + 1, sizeof *out);
    auto_free uint32_t *order =
        mem_calloc(flow->block_count + 1, sizeof *order);
    struct search search = {
        .bound = bound, .flow = flow, .out = out, .order = order};

    order_find(flow, order);
    find_checks(&search);
    if (bound->cut_count || search.added)
        return search.added;
    summarise(&search);
    post_of_function(flow, out);
    post_of_edges(flow, out);
    post_of_loops(&search, loops, out);
    add_credit(&search);
    return false;
}
