/* What instructions cost: contract 2.4, a row for each rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "instrument/meter/bulk.h"
#include "instrument/meter/charge.h"
#include "instrument/meter/ir.h"
#include "runner/base/buf.h"

#include "tests/unit/meter_text.h"

struct row {
    const char *code; /* the instruction under test is the first one */
    uint64_t cost;
};

/* %i i32, %l i64, %w i128, %p ptr, %d double, %v <4 x i32>, %x <8 x i64>,
 * %f <4 x float>, %s {i64, i64, i32} */
static const struct row rows[] = {
    {"%r = add i32 %i, 1", 1},
    {"%r = sdiv i64 %l, 3", 1},
    {"%r = fmul double %d, %d", 1},
    {"%r = load i8, ptr %p", 1},
    {"store i64 %l, ptr %p", 1},
    {"%r = getelementptr i8, ptr %p, i64 %l", 1},
    {"%r = trunc i64 %l to i8", 1},
    {"%r = freeze i64 %l", 1},
    {"%r = call i64 @f(i64 %l)", 1},
    {"br label %next\nnext:", 1},
    {"ret void", 1},
    /* vectors by words */
    {"%r = load <4 x i32>, ptr %p", 2},
    {"store <8 x i64> %x, ptr %p", 8},
    {"%r = add <4 x i32> %v, %v", 2},
    {"%r = fsub <4 x float> %f, %f", 2},
    {"%r = xor <8 x i64> %x, %x", 8},
    {"%r = icmp eq <8 x i64> %x, %x", 8},
    {"%r = select i1 true, <4 x i32> %v, <4 x i32> %v", 2},
    {"%r = load <2 x i8>, ptr %p", 1},
    /* vectors by lanes */
    {"%r = mul <4 x i32> %v, %v", 4},
    {"%r = shl <8 x i64> %x, %x", 8},
    {"%r = fdiv <4 x float> %f, %f", 4},
    {"%r = extractelement <4 x i32> %v, i32 0", 4},
    {"%r = zext <4 x i32> %v to <4 x i64>", 4},
    {"%r = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %v, <4 x i32> %v)", 4},
    {"%r = call <4 x i32> @llvm.fshl.v4i32(<4 x i32> %v, <4 x i32> %v, "
     "<4 x i32> %v)",
     4 * COST_DEAR},
    /* lanes that no vector unit has */
    {"%r = load <3 x i8>, ptr %p", 3 * COST_UNEVEN_LANE},
    {"%r = load <4 x i13>, ptr %p", 4 * COST_ODD_LANE},
    {"%r = load <8 x i1>, ptr %p", 8 * COST_PACKED_LANE},
    {"%r = trunc <4 x i32> %v to <4 x i7>", 4 * COST_ODD_LANE},
    /* integers that no register has */
    {"%r = trunc i64 %l to i13", 1},
    {"%r = call i13 @llvm.smax.i13(i13 3, i13 4)", COST_ODD_LANE},
    {"%r = call i64 @llvm.fshl.i64(i64 %l, i64 %l, i64 %l)", 1},
    {"%r = uitofp i32 %i to float", 1},
    {"%r = uitofp i64 %l to float", COST_LARGE_UNSIGNED},
    {"%r = sitofp i64 %l to float", 1},
    /* wide integers */
    {"%r = add i128 %w, %w", 2},
    {"%r = trunc i128 %w to i32", 2},
    {"%r = icmp eq i128 %w, 0", 2},
    {"%r = call i128 @g(i128 %w, i128 %w)", 4},
    /* aggregates */
    {"%r = load {i64, i64, i32}, ptr %p", 3},
    {"%r = extractvalue {i64, i64, i32} %s, 2", 1},
    {"%r = insertvalue {i64, i64, i32} %s, i64 %l, 0", 1},
    /* dear intrinsics */
    {"%r = call i64 @llvm.ctpop.i64(i64 %l)", COST_DEAR},
    {"%r = call <4 x i32> @llvm.ctpop.v4i32(<4 x i32> %v)", 4 * COST_DEAR},
    /* free */
    {"call void @llvm.lifetime.start.p0(i64 8, ptr %p)", 0},
    {"call void @llvm.assume(i1 true)", 0},
    {"%r = add i32 %i, 1, !bout.free !0", 0},
    {"call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 9, i1 false)", 0},
};

static char *module_text(const char *code)
{
    return mem_format(
        "define void @t(i32 %%i, i64 %%l, i128 %%w, ptr %%p, double %%d,\n"
        "  <4 x i32> %%v, <8 x i64> %%x, <4 x float> %%f,\n"
        "  {i64, i64, i32} %%s) {\n%s\n%s}\n"
        "declare i64 @f(i64)\ndeclare i128 @g(i128, i128)\n"
        "declare i64 @llvm.ctpop.i64(i64)\n"
        "declare i13 @llvm.smax.i13(i13, i13)\n"
        "declare i64 @llvm.fshl.i64(i64, i64, i64)\n"
        "declare <4 x i32> @llvm.fshl.v4i32(<4 x i32>, <4 x i32>, <4 x i32>)\n"
        "declare <4 x i32> @llvm.ctpop.v4i32(<4 x i32>)\n"
        "declare <4 x i32> @llvm.umax.v4i32(<4 x i32>, <4 x i32>)\n"
        "declare void @llvm.lifetime.start.p0(i64, ptr)\n"
        "declare void @llvm.assume(i1)\n"
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
        "!0 = !{}\n",
        code, strncmp(code, "ret", 3) ? "ret void\n" : "");
}

static void test_each_rule_of_the_contract_has_its_price(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        auto_module_context LLVMContextRef context = module_context_new();
        char *text = module_text(rows[i].code);
        auto_module LLVMModuleRef module = meter_parse(context, text);
        LLVMValueRef function = LLVMGetNamedFunction(module, "t");
        LLVMValueRef inst =
            LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
        struct charge charge;

        free(text);
        charge_init(&charge, module);
        uint64_t cost = charge_instruction(&charge, inst);
        if (cost != rows[i].cost)
            fail_msg("%s: costs %llu, should cost %llu", rows[i].code,
                     (unsigned long long)cost,
                     (unsigned long long)rows[i].cost);
    }
}

/* The price of a bulk call of constant length, 0 if it must be a site. */
static uint64_t known_price(const char *code)
{
    auto_module_context LLVMContextRef context = module_context_new();
    char *text = module_text(code);
    auto_module LLVMModuleRef module = meter_parse(context, text);
    LLVMValueRef function = LLVMGetNamedFunction(module, "t");
    uint64_t price = 0;

    free(text);
    bulk_is_known(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)),
                  &price);
    return price;
}

static void test_short_bulk_calls_are_priced_beforehand(void **state)
{
    (void)state;
    assert_int_equal(1, known_price("call void @llvm.memset.p0.i64(ptr %p, "
                                    "i8 0, i64 0, i1 false)"));
    assert_int_equal(2, known_price("call void @llvm.memset.p0.i64(ptr %p, "
                                    "i8 0, i64 8, i1 false)"));
    assert_int_equal(3, known_price("call void @llvm.memcpy.p0.p0.i64(ptr %p,"
                                    "ptr %p, i64 9, i1 false)"));
}

static void test_long_or_unknown_bulk_calls_are_sites(void **state)
{
    (void)state;
    assert_int_equal(0, known_price("call void @llvm.memset.p0.i64(ptr %p, "
                                    "i8 0, i64 1073741824, i1 false)"));
    assert_int_equal(0, known_price("call void @llvm.memset.p0.i64(ptr %p, "
                                    "i8 0, i64 %l, i1 false)"));
}

static void test_sums_saturate(void **state)
{
    (void)state;
    assert_true(charge_add(UINT64_MAX - 1, 1) == UINT64_MAX);
    assert_true(charge_add(UINT64_MAX, 2) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule_of_the_contract_has_its_price),
        cmocka_unit_test(test_short_bulk_calls_are_priced_beforehand),
        cmocka_unit_test(test_long_or_unknown_bulk_calls_are_sites),
        cmocka_unit_test(test_sums_saturate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
