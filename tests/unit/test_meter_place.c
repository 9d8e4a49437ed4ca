/* The reference placement on small modules: pieces, sites, counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "instrument/meter/ir.h"
#include "instrument/meter/place.h"
#include "instrument/meter/plan.h"
#include "instrument/meter/pointer.h"
#include "instrument/meter/verify.h"
#include "runner/base/cleanup.h"

#include "tests/unit/meter_text.h"

struct placed {
    LLVMContextRef context;
    LLVMModuleRef module;
    json_t *blocks; /* the block table */
};

static void place_text(struct placed *placed, const char *text,
                       enum placement placement)
{
    struct blockmap map;
    auto_buf struct buf json = {0};
    struct err err;

    placed->context = module_context_new();
    placed->module = meter_parse(placed->context, text);
    blockmap_init(&map);
    assert_int_equal(
        place_module(placed->module,
                     &(struct place_spec){.placement = placement, .map = &map},
                     &err),
        0);
    blockmap_format(&map, &json);
    blockmap_release(&map);
    placed->blocks = json_loadb(json.data, json.size, 0, NULL);
    assert_non_null(placed->blocks);
    meter_assert_sound(placed->module);
}

static void placed_release(struct placed *placed)
{
    json_decref(placed->blocks);
    module_release(&placed->module);
    module_context_free(&placed->context);
}

static json_t *function(const struct placed *placed, size_t index)
{
    json_t *all = json_object_get(placed->blocks, "functions");

    return json_array_get(all, index);
}

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* The charges of a function's pieces, in order, and their sum's proof: the
 * instructions of each piece's lines add up to its charge. */
static size_t charges(const json_t *of, json_int_t *out)
{
    json_t *blocks = json_object_get(of, "blocks");
    size_t i, k;
    json_t *block, *line;

    json_array_foreach(blocks, i, block) {
        json_int_t sum = 0;

        out[i] = number(block, "charge");
        json_array_foreach(json_object_get(block, "lines"), k, line)
            sum += json_integer_value(json_array_get(line, 2));
        assert_int_equal(sum, out[i]);
    }
    return json_array_size(blocks);
}

static uint64_t array_size(const struct placed *placed, const char *name)
{
    LLVMValueRef array = LLVMGetNamedGlobal(placed->module, name);

    return array ? LLVMGetArrayLength2(LLVMGlobalGetValueType(array)) : 0;
}

static void test_each_block_is_charged_at_its_head(void **state)
{
    struct placed placed;
    json_int_t charge[8];

    (void)state;
    place_text(&placed,
               "define i32 @f(i32 %n) {\n"
               "  %c = icmp eq i32 %n, 0\n"
               "  br i1 %c, label %a, label %b\n"
               "a:\n  ret i32 7\n"
               "b:\n  %p = phi i32 [ %n, %0 ], [ %q, %b ]\n"
               "  %q = sub i32 %p, 1\n"
               "  %z = icmp eq i32 %q, 0\n"
               "  br i1 %z, label %a, label %b\n"
               "}\n",
               PLACEMENT_REFERENCE);
    json_t *f = function(&placed, 0);
    assert_string_equal("f", json_string_value(json_object_get(f, "symbol")));
    assert_int_equal(3, number(f, "reference"));
    assert_int_equal(3, charges(f, charge));
    assert_int_equal(2, charge[0]);
    assert_int_equal(1, charge[1]);
    assert_int_equal(4, charge[2]);
    assert_int_equal(3, array_size(&placed, "R.f"));
    placed_release(&placed);
}

static void test_a_block_names_whom_it_calls(void **state)
{
    struct placed placed;

    (void)state;
    place_text(&placed,
               "declare void @g(i32)\n"
               "define void @f(ptr %p) {\n"
               "  call void @g(i32 1)\n"
               "  %x = call i32 %p(ptr %p)\n"
               "  ret void\n"
               "}\n",
               PLACEMENT_REFERENCE);
    json_t *f = function(&placed, 0);
    json_t *block = json_array_get(json_object_get(f, "blocks"), 0);
    auto_free char *calls =
        json_dumps(json_object_get(block, "calls"), JSON_COMPACT);
    assert_string_equal("[[0,0,\"g\"],[0,0,\"\",\"i32 (ptr)\"]]", calls);
    assert_string_equal("void (ptr)",
                        json_string_value(json_object_get(f, "type")));
    placed_release(&placed);
}

static void test_a_dear_block_is_charged_in_pieces(void **state)
{
    struct placed placed;
    json_int_t charge[8];
    auto_buf struct buf text = {0};

    (void)state;
    buf_add_str(&text, "define i32 @f(i32 %v0) {\n");
    for (int i = 0; i < 10000; i++)
        buf_add_format(&text, "  %%v%d = add i32 %%v%d, 1\n", i + 1, i);
    buf_add_str(&text, "  ret i32 %v10000\n}\n");
    place_text(&placed, text.data, PLACEMENT_REFERENCE);
    assert_int_equal(3, charges(function(&placed, 0), charge));
    assert_int_equal(4096, charge[0]);
    assert_int_equal(4096, charge[1]);
    assert_int_equal(10001 - 2 * 4096, charge[2]);
    placed_release(&placed);
}

static void test_what_follows_setjmp_is_a_piece_of_its_own(void **state)
{
    struct placed placed;
    json_int_t charge[8];

    (void)state;
    place_text(&placed,
               "declare i32 @__bout_setjmp(ptr) returns_twice\n"
               "define i32 @f(ptr %p) {\n"
               "  %a = add i32 1, 2\n"
               "  %r = call i32 @__bout_setjmp(ptr %p)\n"
               "  %b = add i32 %a, %r\n"
               "  ret i32 %b\n}\n",
               PLACEMENT_REFERENCE);
    assert_int_equal(2, charges(function(&placed, 0), charge));
    assert_int_equal(2, charge[0]);
    assert_int_equal(2, charge[1]);
    placed_release(&placed);
}

static void test_bulk_calls_are_sites_or_part_of_their_block(void **state)
{
    struct placed placed;
    json_int_t charge[8];

    (void)state;
    place_text(&placed,
               "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
               "declare void @__bout_charge(i64)\n"
               "define void @f(ptr %p, ptr %q, i64 %n) {\n"
               "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 17,"
               " i1 false)\n"
               "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n,"
               " i1 false)\n"
               "  call void @__bout_charge(i64 %n)\n"
               "  ret void\n}\n",
               PLACEMENT_REFERENCE);
    json_t *f = function(&placed, 0);
    assert_int_equal(3, number(f, "reference"));
    assert_int_equal(1, charges(f, charge));
    assert_int_equal(1 + 4, charge[0]); /* ret, 1 + ceil(17 / 8) */
    json_t *sites = json_object_get(f, "sites");
    assert_int_equal(2, json_array_size(sites));
    assert_int_equal(1, number(json_array_get(sites, 0), "word"));
    assert_int_equal(2, number(json_array_get(sites, 1), "word"));
    /* The charge itself is gone: nobody defines it. */
    LLVMValueRef native = LLVMGetNamedFunction(placed.module, "__bout_charge");
    assert_null(LLVMGetFirstUse(native));
    placed_release(&placed);
}

static void test_an_indirect_call_goes_through_the_table(void **state)
{
    struct placed placed;
    auto_manifest struct manifest manifest = {0};
    struct err err;

    (void)state;
    place_text(&placed,
               "define i32 @f(ptr %p) {\n"
               "  %r = call i32 %p(i32 1)\n"
               "  ret i32 %r\n}\n",
               PLACEMENT_REFERENCE);
    assert_int_equal(-1, verify_module(placed.module, NULL, &err));
    assert_non_null(strstr(err.msg, "unchecked indirect call"));
    pointer_check(placed.module, &manifest);
    assert_int_equal(0, verify_module(placed.module, NULL, &err));
    assert_int_equal(1, manifest.type_count);
    assert_string_equal("i32 (i32)", manifest.types[0]);
    placed_release(&placed);
}

static void test_an_uncharged_function_does_not_verify(void **state)
{
    auto_module_context LLVMContextRef context = module_context_new();
    auto_module LLVMModuleRef module =
        meter_parse(context, "define void @f() {\n  ret void\n}\n");
    struct err err;

    (void)state;
    assert_int_equal(-1, verify_module(module, NULL, &err));
    assert_string_equal("f is not charged", err.msg);
}

static void test_an_address_becomes_a_symbol(void **state)
{
    auto_module_context LLVMContextRef context = module_context_new();
    auto_module LLVMModuleRef module =
        meter_parse(context, "define void @f() {\n  ret void\n}\n"
                             "@t = global [1 x ptr] [ptr @f]\n"
                             "define i1 @g(ptr %p) {\n  call void @f()\n"
                             "  call void @f(i32 1)\n"
                             "  %c = icmp eq ptr %p, @f\n  ret i1 %c\n}\n");
    struct err err;

    (void)state;
    assert_int_equal(0, pointer_take(module, &err));
    meter_assert_sound(module);
    LLVMValueRef f = LLVMGetNamedFunction(module, "f");
    auto_ir_list struct ir_list users = {0};
    ir_users(f, &users);
    assert_int_equal(1, users.count); /* the call by its own type */
    ir_users(LLVMGetNamedGlobal(module, "I.f"), &users);
    assert_int_equal(3, users.count);
}

/* A loop: its latch checks; one of the other edges counts the calls. */
static void test_chords_stand_on_few_edges(void **state)
{
    struct placed placed;

    (void)state;
    place_text(&placed,
               "define i32 @f(i32 %n) {\n"
               "  br label %b\n"
               "b:\n  %p = phi i32 [ %n, %0 ], [ %q, %b ]\n"
               "  %q = sub i32 %p, 1\n"
               "  %z = icmp eq i32 %q, 0\n"
               "  br i1 %z, label %a, label %b\n"
               "a:\n  ret i32 7\n}\n",
               PLACEMENT_CHORDS);
    json_t *f = function(&placed, 0);
    assert_int_equal(1, number(f, "fuel"));
    assert_int_equal(1, number(f, "counters"));
    assert_int_equal(1, number(f, "stops"));
    assert_int_equal(0, number(f, "reference"));
    assert_int_equal(1, array_size(&placed, "F.f"));
    assert_int_equal(3, json_array_size(json_object_get(f, "blocks")));
    assert_non_null(LLVMGetNamedFunction(placed.module, "__bout_refuel"));
    placed_release(&placed);
}

static void test_a_constant_loop_is_folded(void **state)
{
    struct placed placed;

    (void)state;
    place_text(&placed,
               "define void @f(ptr %p) {\n"
               "  br label %b\n"
               "b:\n  %i = phi i64 [ 0, %0 ], [ %j, %b ]\n"
               "  store i64 %i, ptr %p\n"
               "  %j = add i64 %i, 2\n"
               "  %z = icmp ult i64 %j, 16\n"
               "  br i1 %z, label %b, label %a\n"
               "a:\n  ret void\n}\n",
               PLACEMENT_CHORDS);
    json_t *f = function(&placed, 0);
    json_t *derived = json_object_get(f, "derived");
    assert_int_equal(0, number(f, "fuel"));
    assert_int_equal(1, number(f, "counters"));
    json_t *last = json_array_get(derived, json_array_size(derived) - 1);
    assert_int_equal(8, json_integer_value(json_array_get(last, 1)));
    placed_release(&placed);
}

/* A switch with two cases for one block is one edge; PHIs follow the split. */
static void test_a_critical_edge_is_split_once(void **state)
{
    struct placed placed;

    (void)state;
    for (int placement = 0; placement < 3; placement++) {
        place_text(&placed,
                   "declare void @__bout_trap(i32)\n"
                   "define i32 @f(i32 %n) {\n"
                   "  switch i32 %n, label %b [ i32 1, label %c\n"
                   "    i32 2, label %c ]\n"
                   "b:\n  call void @__bout_trap(i32 1)\n"
                   "  switch i32 %n, label %d [ i32 7, label %c ]\n"
                   "c:\n  %p = phi i32 [ 4, %0 ], [ 4, %0 ], [ 5, %b ]\n"
                   "  call void @__bout_trap(i32 2)\n"
                   "  br label %d\n"
                   "d:\n  %q = phi i32 [ %p, %c ], [ 9, %b ]\n"
                   "  ret i32 %q\n}\n",
                   (enum placement)placement);
        placed_release(&placed);
    }
}

/* Blocks that nothing leads to: what they count is counted never. */
static size_t lost_blocks(LLVMValueRef function)
{
    size_t lost = 0;

    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        lost += block != LLVMGetEntryBasicBlock(function) &&
                !LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return lost;
}

/* The way back of a loop holds its end alone and a check; the ways into it are
 * split later than that check is put in, were they split one by one. */
static void test_no_counter_is_put_where_nothing_leads(void **state)
{
    struct placed placed;

    (void)state;
    place_text(&placed,
               "define void @f(ptr %p) {\n"
               "  br label %head\n"
               "back:\n  br label %head\n"
               "head:\n  %a = load volatile i1, ptr %p\n"
               "  br i1 %a, label %back, label %middle\n"
               "middle:\n  %b = load volatile i1, ptr %p\n"
               "  br i1 %b, label %back, label %last\n"
               "last:\n  %c = load volatile i1, ptr %p\n"
               "  br i1 %c, label %back, label %end\n"
               "end:\n  ret void\n}\n",
               PLACEMENT_CHORDS);
    assert_int_equal(0, lost_blocks(LLVMGetNamedFunction(placed.module, "f")));
    placed_release(&placed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_counter_is_put_where_nothing_leads),
        cmocka_unit_test(test_chords_stand_on_few_edges),
        cmocka_unit_test(test_a_constant_loop_is_folded),
        cmocka_unit_test(test_a_critical_edge_is_split_once),
        cmocka_unit_test(test_each_block_is_charged_at_its_head),
        cmocka_unit_test(test_a_block_names_whom_it_calls),
        cmocka_unit_test(test_a_dear_block_is_charged_in_pieces),
        cmocka_unit_test(test_what_follows_setjmp_is_a_piece_of_its_own),
        cmocka_unit_test(test_bulk_calls_are_sites_or_part_of_their_block),
        cmocka_unit_test(test_an_indirect_call_goes_through_the_table),
        cmocka_unit_test(test_an_uncharged_function_does_not_verify),
        cmocka_unit_test(test_an_address_becomes_a_symbol),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
