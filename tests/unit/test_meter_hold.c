/* Counters in registers: which loops hold theirs, and where they are written
 * back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "instrument/meter/ir.h"
#include "instrument/meter/place.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include "tests/unit/meter_text.h"

#define BLOCKS_MAX 256

struct blocks {
    LLVMBasicBlockRef at[BLOCKS_MAX];
    unsigned count;
};

/* How often a block reads and writes hidden memory, and calls the runtime. */
struct access {
    unsigned loads, stores, refuels;
};

static struct access access_of(LLVMBasicBlockRef block)
{
    struct access access = {0};

    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst)) {
        bool is_load = LLVMIsALoadInst(inst);

        access.refuels += ir_is_call_of(inst, "__bout_refuel");
        if (!is_load && !LLVMIsAStoreInst(inst))
            continue;
        LLVMValueRef address = LLVMGetOperand(inst, is_load ? 0 : 1);
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != IR_HIDDEN_SPACE)
            continue;
        access.loads += is_load;
        access.stores += !is_load;
    }
    return access;
}

static bool is_seen(const struct blocks *seen, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < seen->count; i++)
        if (seen->at[i] == block)
            return true;
    return false;
}

static void add_successors(struct blocks *seen, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);

        if (is_seen(seen, to) || access_of(to).refuels)
            continue;
        assert_true(seen->count < BLOCKS_MAX);
        seen->at[seen->count++] = to;
    }
}

/* True if it can run again without the runtime having been asked. */
static bool is_hot(LLVMBasicBlockRef block)
{
    struct blocks seen = {0};

    add_successors(&seen, block);
    for (unsigned i = 0; i < seen.count; i++)
        add_successors(&seen, seen.at[i]);
    return is_seen(&seen, block);
}

/* What is read and written in the hot blocks, and where the runtime is asked.
 */
static void look(const char *text, struct access *hot, struct access *cold)
{
    auto_module_context LLVMContextRef context = module_context_new();
    auto_module LLVMModuleRef module = meter_parse(context, text);
    struct blockmap map;
    struct err err;

    blockmap_init(&map);
    const struct place_spec spec = {.placement = PLACEMENT_CHORDS, .map = &map};
    assert_int_equal(0, place_module(module, &spec, &err));
    blockmap_release(&map);
    meter_assert_sound(module);
    *hot = *cold = (struct access){0};
    for (LLVMBasicBlockRef block =
             LLVMGetFirstBasicBlock(LLVMGetNamedFunction(module, "f"));
         block; block = LLVMGetNextBasicBlock(block)) {
        struct access one = access_of(block);
        struct access *sum = one.refuels ? cold : hot;

        if (!one.refuels && !is_hot(block))
            continue;
        sum->loads += one.loads;
        sum->stores += one.stores;
        sum->refuels += one.refuels;
    }
}

static void test_a_plain_loop_counts_in_a_register(void **state)
{
    struct access hot, cold;

    (void)state;
    look("define i32 @f(i32 %n) {\n"
         "  br label %b\n"
         "b:\n  %p = phi i32 [ %n, %0 ], [ %q, %b ]\n"
         "  %q = sub i32 %p, 1\n"
         "  %z = icmp eq i32 %q, 0\n"
         "  br i1 %z, label %a, label %b\n"
         "a:\n  ret i32 7\n"
         "}\n",
         &hot, &cold);
    assert_int_equal(0, hot.loads);
    assert_int_equal(0, hot.stores);
    assert_int_equal(1, cold.refuels);
    assert_int_equal(2, cold.stores); /* the counter, and which check it is */
    assert_int_equal(1, cold.loads);
}

/* Two counters, and at each check the note which it is. */
static void test_the_runtime_sees_all_that_a_loop_holds(void **state)
{
    struct access hot, cold;

    (void)state;
    look("define i32 @f(ptr %m, i32 %n) {\n"
         "  br label %b\n"
         "b:\n  %p = phi i32 [ %n, %0 ], [ %q, %c ]\n"
         "  %q = sub i32 %p, 1\n"
         "  %v = load i32, ptr %m\n"
         "  %o = icmp slt i32 %v, 9\n"
         "  br i1 %o, label %d, label %c\n"
         "d:\n  store i32 %q, ptr %m\n  br label %c\n"
         "c:\n  %z = icmp eq i32 %q, 0\n"
         "  br i1 %z, label %a, label %b\n"
         "a:\n  ret i32 7\n"
         "}\n",
         &hot, &cold);
    assert_int_equal(0, hot.loads);
    assert_int_equal(0, hot.stores);
    assert_true(cold.refuels >= 1);
    assert_int_equal(3 * cold.refuels, cold.stores);
    assert_true(cold.loads >= cold.refuels);
}

/* Whoever is called may look at all counters. */
static void test_a_loop_with_an_unknown_call_counts_in_memory(void **state)
{
    struct access hot, cold;

    (void)state;
    look("declare void @g(i32)\n"
         "define i32 @f(i32 %n) {\n"
         "  br label %b\n"
         "b:\n  %p = phi i32 [ %n, %0 ], [ %q, %b ]\n"
         "  %q = sub i32 %p, 1\n"
         "  call void @g(i32 %q)\n"
         "  %z = icmp eq i32 %q, 0\n"
         "  br i1 %z, label %a, label %b\n"
         "a:\n  ret i32 7\n"
         "}\n",
         &hot, &cold);
    assert_true(hot.stores >= 1);
    assert_int_equal(hot.loads, hot.stores);
    assert_true(cold.refuels >= 1);
    assert_int_equal(cold.refuels, cold.stores);
    assert_int_equal(0, cold.loads);
}

static void test_a_call_that_checks_nothing_leaves_registers_alone(void **state)
{
    struct access hot, cold;

    (void)state;
    look("define i32 @g(i32 %n) {\n  %m = mul i32 %n, %n\n  ret i32 %m\n}\n"
         "define i32 @f(i32 %n) {\n"
         "  br label %b\n"
         "b:\n  %p = phi i32 [ %n, %0 ], [ %r, %b ]\n"
         "  %q = call i32 @g(i32 %p)\n"
         "  %r = sub i32 %q, 1\n"
         "  %z = icmp eq i32 %r, 0\n"
         "  br i1 %z, label %a, label %b\n"
         "a:\n  ret i32 7\n"
         "}\n",
         &hot, &cold);
    assert_int_equal(0, hot.loads);
    assert_int_equal(0, hot.stores);
    assert_int_equal(1, cold.refuels);
}

/* The loop's own values come first: twenty that live through each round leave
 * no register. */
static void test_a_crowded_loop_counts_in_memory(void **state)
{
    struct access hot, cold;
    auto_buf struct buf text = {0};

    (void)state;
    buf_add_str(&text, "define i32 @f(i32 %n) {\n  br label %b\nb:\n");
    for (int i = 0; i < 20; i++)
        buf_add_format(&text,
                       "  %%p%d = phi i32 [ %%n, %%0 ], [ %%p%d, %%b ]\n", i,
                       (i + 1) % 20);
    buf_add_str(&text, "  %z = icmp eq i32 %p3, 0\n"
                       "  br i1 %z, label %a, label %b\n"
                       "a:\n  ret i32 %p0\n}\n");
    look(text.data, &hot, &cold);
    assert_int_equal(1, hot.loads);
    assert_int_equal(1, hot.stores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plain_loop_counts_in_a_register),
        cmocka_unit_test(test_the_runtime_sees_all_that_a_loop_holds),
        cmocka_unit_test(test_a_loop_with_an_unknown_call_counts_in_memory),
        cmocka_unit_test(
            test_a_call_that_checks_nothing_leaves_registers_alone),
        cmocka_unit_test(test_a_crowded_loop_counts_in_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
