/* The placement on random functions: whatever path a call takes, the weighted
 * counters are the exact count wherever it can be asked for, every block's
 * executions follow from them, and no way between two checks is too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "instrument/meter/fuel.h"
#include "instrument/meter/tree.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include "tests/unit/meter_flow.h"

struct run {
    struct flow flow;
    struct loops loops;
    struct bound bound;
    struct tree tree;
    int64_t *weight;
    uint64_t *word; /* as the program would count */
    uint64_t *executed;
    uint64_t cost;  /* charged */
    uint64_t paid;  /* prices of the checks that were passed */
    uint64_t since; /* charged since the last check */
    uint64_t longest;
};

static void release(struct run *run)
{
    flow_release(&run->flow);
    loop_release(&run->loops);
    bound_release(&run->bound);
    tree_release(&run->tree);
    free(run->weight);
    free(run->word);
    free(run->executed);
}

static void place(struct run *run)
{
    flow_close(&run->flow);
    dominator_find(&run->flow);
    loop_find(&run->flow, &run->loops);
    frequency_find(&run->flow);
    bound_force(&run->flow);
    do {
        tree_release(&run->tree);
        tree_chords(&run->tree, &run->flow);
        fuel_choose(&run->flow, &run->tree);
        bound_release(&run->bound);
    } while (bound_find(&run->bound, &run->flow, &run->loops));
    if (run->bound.cut_count)
        return;
    tree_finish(&run->tree, &run->flow, NULL, 0);
    uint32_t words = tree_word_count(&run->tree);
    run->weight = mem_calloc(words + 1, sizeof *run->weight);
    run->word =
        mem_calloc(words + run->tree.derived_count + 1, sizeof *run->word);
    run->executed = mem_calloc(run->flow.block_count, sizeof *run->executed);
    tree_weights(&run->tree, run->weight);
}

/* The chord's number, FLOW_NONE if it is none. */
static uint32_t count(struct run *run, enum tree_kind kind, uint32_t of)
{
    uint32_t found = FLOW_NONE;

    for (uint32_t i = 0; i < run->tree.edge_count; i++) {
        const struct tree_edge *edge = &run->tree.edge[i];

        if (!edge->is_chord || edge->kind != kind || edge->of != of)
            continue;
        run->word[edge->word]++;
        found = i;
    }
    return found;
}

static void assert_exact(struct run *run)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < tree_word_count(&run->tree); i++)
        sum += run->word[i] * (uint64_t)run->weight[i];
    assert_int_equal(run->cost, sum);
}

static void assert_solved(struct run *run)
{
    const struct tree *tree = &run->tree;

    for (uint32_t i = 0; i < tree->derived_count; i++) {
        uint64_t sum = 0;

        for (uint32_t k = 0; k < tree->derived[i].term_count; k++) {
            const struct tree_term *term =
                &tree->term[tree->derived[i].term + k];
            sum += (uint64_t)term->factor * run->word[term->word];
        }
        run->word[tree_word_count(tree) + i] = sum;
    }
    for (uint32_t b = 0; b < run->flow.block_count; b++)
        assert_int_equal(run->executed[b],
                         tree->block_word[b] == FLOW_NONE
                             ? 0 /* it is never reached */
                             : run->word[tree->block_word[b]]);
}

/* A check is passed. True: it stops here. */
static bool check(struct run *run, uint32_t chord, uint64_t price,
                  uint64_t *state)
{
    run->paid += price;
    run->since = 0;
    assert_true(run->cost <= run->paid + BOUND_MAX);
    if (flow_random(state, 1000))
        return false;
    count(run, TREE_STOP, chord);
    return true;
}

/* Enters a block: its charge, its check. True: it stops here. */
static bool enter(struct run *run, uint32_t number, uint64_t *state)
{
    const struct flow_block *block = &run->flow.block[number];

    run->cost += block->cost;
    run->since += block->cost;
    run->executed[number]++;
    uint32_t chord = count(run, TREE_BLOCK, number);
    if (run->since > run->longest)
        run->longest = run->since;
    if (block->is_pinned) {
        assert_exact(run);
        assert_solved(run);
    }
    return block->is_check && check(run, chord, block->price, state);
}

/* One call; false if it was stopped at a check. */
static bool call(struct run *run, uint64_t *state)
{
    uint32_t at = 0;

    while (!enter(run, at, state)) {
        const struct flow_block *block = &run->flow.block[at];

        if (block->leaves) {
            count(run, TREE_RETURN, at);
            run->paid += run->since; /* by a check of the caller */
            run->since = 0;
            return true;
        }
        uint32_t way = block->edge + flow_random(state, block->edge_count);
        const struct flow_edge *edge = &run->flow.edge[way];
        uint32_t chord = count(run, TREE_FLOW, way);
        if (edge->is_check && check(run, chord, edge->price, state))
            return false;
        at = edge->to;
    }
    return false;
}

static void test_random_functions_count_exactly(void **state)
{
    uint64_t seed = 1;
    unsigned placed = 0;

    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        __attribute__((cleanup(release))) struct run run = {0};

        flow_random_open(&run.flow, &seed);
        for (uint32_t b = 0; b < run.flow.block_count; b++)
            run.flow.block[b].is_pinned = flow_random(&seed, 4) == 0;
        place(&run);
        if (run.bound.cut_count)
            continue;
        placed++;
        bool whole = true;
        for (unsigned calls = 0; calls < 20 && whole; calls++)
            whole = call(&run, &seed);
        assert_exact(&run);
        assert_solved(&run);
        assert_true(run.longest <= BOUND_MAX);
    }
    assert_true(placed > 1500);
}

/* A loop round one block: its counter, and what is outside of it. */
static void test_a_tight_loop_has_one_counter_inside(void **state)
{
    __attribute__((cleanup(release))) struct run run = {0};

    (void)state;
    flow_text(&run.flow, 3, "0>1 1>1 1>2");
    place(&run);
    uint64_t inside = 0;
    for (uint32_t i = 0; i < run.tree.edge_count; i++) {
        const struct tree_edge *edge = &run.tree.edge[i];

        if (edge->is_chord && edge->kind != TREE_STOP)
            inside += edge->frequency > FREQUENCY_ENTRY;
    }
    assert_int_equal(1, inside);
    assert_int_equal(1, run.tree.fuel_count);
    assert_int_equal(1, run.tree.counter_count);
    assert_int_equal(11, run.weight[0]); /* the loop's body */
}

static void test_a_tight_loop_pays_for_its_body(void **state)
{
    __attribute__((cleanup(release))) struct run run = {0};

    (void)state;
    flow_text(&run.flow, 7, "0>1 1>2 2>2 2>3 3>4 4>1 4>5 5>6");
    run.flow.block[3].cost = 300;
    place(&run);
    for (uint32_t i = 0; i < run.flow.edge_count; i++)
        if (run.flow.edge[i].is_check && run.flow.edge[i].from == 2)
            assert_true(run.flow.edge[i].price <= 12 + BOUND_TOLERATED + 31);
    if (run.flow.block[2].is_check)
        assert_true(run.flow.block[2].price <= 12 + BOUND_TOLERATED + 31);
}

/* Each way round has one counter, and each looks at what remains. */
static void test_a_fork_in_a_loop_counts_once_a_round(void **state)
{
    __attribute__((cleanup(release))) struct run run = {0};
    uint64_t inside = 0;

    (void)state;
    flow_text(&run.flow, 6, "0>1 1>2 1>3 2>4 3>4 4>1 4>5");
    place(&run);
    for (uint32_t i = 0; i < run.tree.edge_count; i++) {
        const struct tree_edge *edge = &run.tree.edge[i];

        if (edge->is_chord && edge->kind != TREE_STOP &&
            edge->frequency > FREQUENCY_ENTRY)
            inside += edge->frequency;
    }
    assert_int_equal(run.flow.block[1].frequency, inside);
    assert_int_equal(2, run.tree.fuel_count);
}

static void test_a_long_path_gets_a_check(void **state)
{
    __attribute__((cleanup(release))) struct run run = {0};

    (void)state;
    flow_text(&run.flow, 3, "0>1 1>2");
    for (uint32_t i = 0; i < 3; i++)
        run.flow.block[i].cost = 300;
    place(&run);
    assert_true(run.tree.fuel_count >= 1);
    assert_true(run.bound.summary.checks);
    assert_true(run.bound.summary.tail <= BOUND_SUMMARY);
}

static void test_a_leaf_needs_no_check(void **state)
{
    __attribute__((cleanup(release))) struct run run = {0};

    (void)state;
    flow_text(&run.flow, 4, "0>1 0>2 1>3 2>3");
    place(&run);
    assert_int_equal(0, run.tree.fuel_count);
    assert_false(run.bound.summary.checks);
    assert_int_equal(10 + 12 + 13, run.bound.summary.through);
}

static void test_unknown_calls_are_checked_and_parted(void **state)
{
    __attribute__((cleanup(release))) struct run run = {0};
    struct flow_summary unknown = bound_unknown();

    (void)state;
    flow_text(&run.flow, 1, "");
    run.flow.block[0].is_pinned = true;
    flow_add_call(&run.flow, 0, &unknown);
    flow_add_call(&run.flow, 0, &unknown);
    place(&run);
    assert_true(run.flow.block[0].is_check);
    assert_int_equal(1, run.bound.cut_count);
    assert_int_equal(1, run.bound.cut[0].call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_functions_count_exactly),
        cmocka_unit_test(test_a_tight_loop_has_one_counter_inside),
        cmocka_unit_test(test_a_tight_loop_pays_for_its_body),
        cmocka_unit_test(test_a_fork_in_a_loop_counts_once_a_round),
        cmocka_unit_test(test_a_long_path_gets_a_check),
        cmocka_unit_test(test_a_leaf_needs_no_check),
        cmocka_unit_test(test_unknown_calls_are_checked_and_parted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
