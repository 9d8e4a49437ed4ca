/* Flow graphs: order, dominators, loops, frequencies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/meter_flow.h"

/* Two nested loops: 1 heads the outer, 2 the inner. */
#define NEST "0>1 1>2 2>3 3>2 3>4 4>1 4>5"
/* A cycle of 1 and 2 that is entered at both. */
#define IRREDUCIBLE "0>1 0>2 1>2 2>1 2>3"

static bool is_retreating(const struct flow *flow, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < flow->edge_count; i++)
        if (flow->edge[i].from == from && flow->edge[i].to == to)
            return flow->edge[i].is_retreating;
    fail_msg("no edge %u to %u", from, to);
    return false;
}

static void test_every_cycle_has_a_retreating_edge(void **state)
{
    auto_flow struct flow nest, odd;

    (void)state;
    flow_text(&nest, 6, NEST);
    flow_close(&nest);
    assert_true(is_retreating(&nest, 3, 2));
    assert_true(is_retreating(&nest, 4, 1));
    assert_false(is_retreating(&nest, 1, 2));
    flow_text(&odd, 4, IRREDUCIBLE);
    flow_close(&odd);
    assert_true(is_retreating(&odd, 2, 1) != is_retreating(&odd, 1, 2));
}

static void test_a_second_edge_joins_the_first(void **state)
{
    auto_flow struct flow flow;

    (void)state;
    flow_text(&flow, 2, "0>1 0>1");
    flow_close(&flow);
    assert_int_equal(1, flow.edge_count);
    assert_int_equal(FLOW_ONE, flow.edge[0].probability);
}

static void test_dominators_meet_where_paths_do(void **state)
{
    auto_flow struct flow flow;

    (void)state;
    flow_text(&flow, 5, "0>1 0>2 1>3 2>3 3>4");
    flow_close(&flow);
    dominator_find(&flow);
    assert_int_equal(FLOW_NONE, flow.block[0].dominator);
    assert_int_equal(0, flow.block[3].dominator);
    assert_int_equal(3, flow.block[4].dominator);
    assert_true(dominator_is(&flow, 0, 4));
    assert_false(dominator_is(&flow, 1, 3));
}

static void test_loops_nest(void **state)
{
    auto_flow struct flow flow;
    auto_loops struct loops loops = {0};

    (void)state;
    flow_text(&flow, 6, NEST);
    flow_close(&flow);
    dominator_find(&flow);
    loop_find(&flow, &loops);
    assert_int_equal(2, loops.count);
    assert_int_equal(2, loops.at[0].header); /* the inner one first */
    assert_int_equal(2, loops.at[0].block_count);
    assert_int_equal(4, loops.at[1].block_count);
    assert_int_equal(2, flow.block[3].loop);
    assert_int_equal(1, flow.block[4].loop);
    assert_int_equal(1, flow.block[2].outer);
    assert_int_equal(FLOW_NONE, flow.block[5].loop);
}

static void test_a_cycle_with_two_entries_is_no_loop(void **state)
{
    auto_flow struct flow flow;
    auto_loops struct loops loops = {0};

    (void)state;
    flow_text(&flow, 4, IRREDUCIBLE);
    flow_close(&flow);
    dominator_find(&flow);
    loop_find(&flow, &loops);
    assert_int_equal(0, loops.count);
}

static void test_inner_loops_run_more_often(void **state)
{
    auto_flow struct flow flow;
    auto_loops struct loops loops = {0};

    (void)state;
    flow_text(&flow, 6, NEST);
    flow_close(&flow);
    dominator_find(&flow);
    loop_find(&flow, &loops);
    frequency_find(&flow);
    assert_int_equal(FREQUENCY_ENTRY, flow.block[0].frequency);
    assert_true(flow.block[2].frequency > 4 * flow.block[1].frequency);
    assert_true(flow.block[1].frequency > 4 * flow.block[5].frequency);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cycle_has_a_retreating_edge),
        cmocka_unit_test(test_a_second_edge_joins_the_first),
        cmocka_unit_test(test_dominators_meet_where_paths_do),
        cmocka_unit_test(test_loops_nest),
        cmocka_unit_test(test_a_cycle_with_two_entries_is_no_loop),
        cmocka_unit_test(test_inner_loops_run_more_often),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
