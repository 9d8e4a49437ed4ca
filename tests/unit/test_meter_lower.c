/* The lowerings, run: IR goes through a pass and is then compiled and called
 * here, so that what is tested is what the code does and not what it looks
 * like. What lives in hidden memory (lower_stack, lower_jump) is in
 * test_meter_shape.c. */
#include "instrument/bot/page.h"

#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/meter_lowered.h"

static jmp_buf on_trap;

static void trap(uint32_t reason)
{
    longjmp(on_trap, (int)reason + 1);
}

/* Runs `statement`; its value is the trap's reason, or -1 if none came. */
#define TRAP_OF(statement)                          \
    __extension__({                                 \
        volatile int reason_ = setjmp(on_trap) - 1; \
        if (reason_ < 0)                            \
            (statement);                            \
        reason_;                                    \
    })

__extension__ typedef __int128 wide;

static wide divide_wide(wide a, wide b)
{
    return a / b;
}

static void map(LLVMExecutionEngineRef engine, LLVMModuleRef module,
                const char *name, void *address)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);

    if (function)
        LLVMAddGlobalMapping(engine, function, address);
}

/* Takes the module; the engine is the caller's to dispose of. */
static LLVMExecutionEngineRef compiled(LLVMModuleRef module)
{
    LLVMExecutionEngineRef engine = NULL;
    char *message = NULL;

    LLVMSetTarget(module, "");
    LLVMSetDataLayout(module, "");
    if (LLVMCreateJITCompilerForModule(&engine, module, 2, &message))
        fail_msg("%s", message);
    map(engine, module, "__bout_trap", (void *)(uintptr_t)trap);
    map(engine, module, "__divti3", (void *)(uintptr_t)divide_wide);
    return engine;
}

#define FUNCTION(engine, name, type) \
    ((type)(uintptr_t)LLVMGetFunctionAddress(engine, name))

/* ---- looking through a module ---------------------------------------------
 */

static size_t count_undefined_operands(LLVMModuleRef module)
{
    auto_ir_list struct ir_list all = {0};
    size_t count = 0;

    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        for (int k = 0; k < LLVMGetNumOperands(all.at[i]); k++)
            count += LLVMIsUndef(LLVMGetOperand(all.at[i], (unsigned)k)) != 0;
    }
    return count;
}

/* ---- tests ------------------------------------------------------------------
 */

static void test_variadic_arguments_arrive_through_a_pointer(void **state)
{
    static const char text[] =
        "declare void @llvm.va_start(ptr)\n"
        "declare void @llvm.va_end(ptr)\n"
        "define i64 @sum(i32 %n, ...) {\n"
        "  %list = alloca ptr\n"
        "  call void @llvm.va_start(ptr %list)\n"
        "  %a = va_arg ptr %list, i32\n"
        "  %b = va_arg ptr %list, i64\n"
        "  %c = va_arg ptr %list, double\n"
        "  call void @llvm.va_end(ptr %list)\n"
        "  %a64 = sext i32 %a to i64\n"
        "  %c64 = fptosi double %c to i64\n"
        "  %ab = add i64 %a64, %b\n"
        "  %abc = add i64 %ab, %c64\n"
        "  ret i64 %abc\n"
        "}\n"
        "define i64 @direct() {\n"
        "  %r = call i64 (i32, ...) @sum(i32 3, i32 -5, i64 100, double 7.0)\n"
        "  ret i64 %r\n"
        "}\n"
        "define i64 @through(ptr %f) {\n"
        "  %r = call i64 (i32, ...) %f(i32 3, i32 1, i64 2, double 3.0)\n"
        "  ret i64 %r\n"
        "}\n"
        "define i64 @indirect() {\n"
        "  %r = call i64 @through(ptr @sum)\n"
        "  ret i64 %r\n"
        "}\n";
    LLVMExecutionEngineRef engine = compiled(lowered(text, lower_variadic));

    (void)state;
    assert_int_equal(FUNCTION(engine, "direct", int64_t(*)(void))(), 102);
    assert_int_equal(FUNCTION(engine, "indirect", int64_t(*)(void))(), 6);
    LLVMDisposeExecutionEngine(engine);
}

static void test_integer_arguments_fill_their_slot(void **state)
{
    static const char text[] = "declare void @llvm.va_start(ptr)\n"
                               "define i64 @first(...) {\n"
                               "  %list = alloca ptr\n"
                               "  call void @llvm.va_start(ptr %list)\n"
                               "  %a = va_arg ptr %list, i64\n"
                               "  ret i64 %a\n"
                               "}\n"
                               "define i64 @minus() {\n"
                               "  %r = call i64 (...) @first(i32 -2)\n"
                               "  ret i64 %r\n"
                               "}\n";
    LLVMExecutionEngineRef engine = compiled(lowered(text, lower_variadic));

    (void)state;
    assert_int_equal(FUNCTION(engine, "minus", int64_t(*)(void))(), -2);
    LLVMDisposeExecutionEngine(engine);
}

static void test_division_by_zero_traps_and_overflow_wraps(void **state)
{
    static const char text[] = "define i32 @quotient(i32 %a, i32 %b) {\n"
                               "  %r = sdiv i32 %a, %b\n"
                               "  ret i32 %r\n"
                               "}\n"
                               "define i32 @remainder(i32 %a, i32 %b) {\n"
                               "  %r = srem i32 %a, %b\n"
                               "  ret i32 %r\n"
                               "}\n"
                               "define i32 @minus_one(i32 %a) {\n"
                               "  %r = sdiv i32 %a, -1\n"
                               "  ret i32 %r\n"
                               "}\n"
                               "define void @vector(ptr %a, ptr %b) {\n"
                               "  %x = load <4 x i32>, ptr %a, align 1\n"
                               "  %y = load <4 x i32>, ptr %b, align 1\n"
                               "  %r = sdiv <4 x i32> %x, %y\n"
                               "  store <4 x i32> %r, ptr %a, align 1\n"
                               "  ret void\n"
                               "}\n";
    LLVMExecutionEngineRef engine = compiled(lowered(text, lower_divide));
    int (*quotient)(int, int) = FUNCTION(engine, "quotient", int (*)(int, int));
    int (*remainder)(int, int) =
        FUNCTION(engine, "remainder", int (*)(int, int));
    void (*vector)(int *, int *) =
        FUNCTION(engine, "vector", void (*)(int *, int *));
    int a[] = {7, -7, INT_MIN, 9};
    int b[] = {2, 2, -1, 3};

    (void)state;
    assert_int_equal(quotient(-7, 2), -3);
    assert_int_equal(quotient(INT_MIN, -1), INT_MIN);
    assert_int_equal(quotient(5, -1), -5);
    assert_int_equal(remainder(INT_MIN, -1), 0);
    assert_int_equal(remainder(-7, 2), -1);
    assert_int_equal(FUNCTION(engine, "minus_one", int (*)(int))(4), -4);
    assert_int_equal(TRAP_OF(quotient(1, 0)), PAGE_TRAP_DIVIDE);
    assert_int_equal(TRAP_OF(remainder(1, 0)), PAGE_TRAP_DIVIDE);
    vector(a, b);
    assert_int_equal(a[0], 3);
    assert_int_equal(a[1], -3);
    assert_int_equal(a[2], INT_MIN);
    assert_int_equal(a[3], 3);
    b[2] = 0;
    assert_int_equal(TRAP_OF(vector(a, b)), PAGE_TRAP_DIVIDE);
    LLVMDisposeExecutionEngine(engine);
}

static void test_division_in_a_loop_keeps_its_phis(void **state)
{
    static const char text[] =
        "define i32 @digits(i32 %n, i32 %base) {\n"
        "entry:\n"
        "  br label %loop\n"
        "loop:\n"
        "  %left = phi i32 [ %n, %entry ], [ %next, %loop ]\n"
        "  %count = phi i32 [ 0, %entry ], [ %more, %loop ]\n"
        "  %next = udiv i32 %left, %base\n"
        "  %more = add i32 %count, 1\n"
        "  %done = icmp eq i32 %next, 0\n"
        "  br i1 %done, label %out, label %loop\n"
        "out:\n"
        "  %r = phi i32 [ %more, %loop ]\n"
        "  ret i32 %r\n"
        "}\n";
    LLVMExecutionEngineRef engine = compiled(lowered(text, lower_divide));
    int (*digits)(int, int) = FUNCTION(engine, "digits", int (*)(int, int));

    (void)state;
    assert_int_equal(digits(12345, 10), 5);
    assert_int_equal(digits(255, 2), 8);
    LLVMDisposeExecutionEngine(engine);
}

static void test_wide_division_is_a_library_call(void **state)
{
    static const char text[] = "define i128 @wide(i128 %a, i128 %b) {\n"
                               "  %r = sdiv i128 %a, %b\n"
                               "  ret i128 %r\n"
                               "}\n"
                               "define i64 @odd(i64 %a, i64 %b) {\n"
                               "  %x = sext i64 %a to i100\n"
                               "  %y = sext i64 %b to i100\n"
                               "  %r = sdiv i100 %x, %y\n"
                               "  %t = trunc i100 %r to i64\n"
                               "  ret i64 %t\n"
                               "}\n";
    LLVMModuleRef module = lowered(text, lower_int);

    (void)state;
    assert_int_equal(count_opcode(module, LLVMSDiv), 0);
    assert_int_equal(count_calls(module, "__divti3"), 2);
    LLVMExecutionEngineRef engine = compiled(module);
    assert_int_equal(
        FUNCTION(engine, "odd", int64_t(*)(int64_t, int64_t))(-70, 9), -7);
    LLVMDisposeExecutionEngine(engine);
}

static void test_shifts_are_masked_and_floats_saturate(void **state)
{
    static const char text[] =
        "define i32 @left(i32 %a, i32 %b) {\n"
        "  %r = shl nuw nsw i32 %a, %b\n"
        "  ret i32 %r\n"
        "}\n"
        "define i32 @odd(i32 %a, i32 %b) {\n"
        "  %x = trunc i32 %a to i7\n"
        "  %y = trunc i32 %b to i7\n"
        "  %s = lshr i7 %x, %y\n"
        "  %r = zext i7 %s to i32\n"
        "  ret i32 %r\n"
        "}\n"
        "define i32 @to_int(double %d) {\n"
        "  %r = fptosi double %d to i32\n"
        "  ret i32 %r\n"
        "}\n"
        "define i8 @to_byte(double %d) {\n"
        "  %r = fptoui double %d to i8\n"
        "  ret i8 %r\n"
        "}\n"
        "define i32 @lane(i32 %i) {\n"
        "  %r = extractelement <4 x i32> <i32 10, i32 11, i32 12, i32 13>, "
        "i32 %i\n"
        "  ret i32 %r\n"
        "}\n";
    LLVMExecutionEngineRef engine = compiled(lowered(text, lower_defined));
    int (*left)(int, int) = FUNCTION(engine, "left", int (*)(int, int));
    int (*odd)(int, int) = FUNCTION(engine, "odd", int (*)(int, int));
    int (*to_int)(double) = FUNCTION(engine, "to_int", int (*)(double));
    uint8_t (*to_byte)(double) =
        FUNCTION(engine, "to_byte", uint8_t(*)(double));
    int (*lane)(int) = FUNCTION(engine, "lane", int (*)(int));

    (void)state;
    assert_int_equal(left(3, 33), 6);
    assert_int_equal(left(3, -1), INT_MIN);
    assert_int_equal(odd(64, 6), 1);
    assert_int_equal(odd(64, 7), 64);
    assert_int_equal(to_int(1e30), INT_MAX);
    assert_int_equal(to_int(-1e30), INT_MIN);
    assert_int_equal(to_int((double)NAN), 0);
    assert_int_equal(to_byte(-3.0), 0);
    assert_int_equal(to_byte(300.0), 255);
    assert_int_equal(lane(2), 12);
    assert_int_equal(lane(6), 12);
    LLVMDisposeExecutionEngine(engine);
}

static void test_atomics_become_plain_and_keep_their_meaning(void **state)
{
    static const char text[] =
        "define i32 @update(ptr %p, i32 %by) {\n"
        "  %a = atomicrmw add ptr %p, i32 %by seq_cst\n"
        "  %b = atomicrmw max ptr %p, i32 50 seq_cst\n"
        "  %c = atomicrmw nand ptr %p, i32 6 seq_cst\n"
        "  fence seq_cst\n"
        "  %s = add i32 %a, %b\n"
        "  ret i32 %s\n"
        "}\n"
        "define i1 @exchange(ptr %p, i32 %old, i32 %new) {\n"
        "  %r = cmpxchg weak ptr %p, i32 %old, i32 %new seq_cst monotonic\n"
        "  %ok = extractvalue { i32, i1 } %r, 1\n"
        "  ret i1 %ok\n"
        "}\n";
    LLVMModuleRef module = lowered(text, lower_defined);

    (void)state;
    assert_int_equal(count_opcode(module, LLVMAtomicRMW), 0);
    assert_int_equal(count_opcode(module, LLVMAtomicCmpXchg), 0);
    assert_int_equal(count_opcode(module, LLVMFence), 0);
    LLVMExecutionEngineRef engine = compiled(module);
    int (*update)(int *, int) = FUNCTION(engine, "update", int (*)(int *, int));
    bool (*exchange)(int *, int, int) =
        FUNCTION(engine, "exchange", bool (*)(int *, int, int));
    int value = 5;

    assert_int_equal(update(&value, 7), 5 + 12);
    assert_int_equal(value, ~(50 & 6));
    value = 4;
    assert_false(exchange(&value, 5, 9));
    assert_int_equal(value, 4);
    assert_true(exchange(&value, 4, 9));
    assert_int_equal(value, 9);
    LLVMDisposeExecutionEngine(engine);
}

static void test_computed_goto_reaches_labels_and_nothing_else(void **state)
{
    static const char text[] =
        "@table = constant [2 x ptr] [ptr blockaddress(@pick, %one), "
        "ptr blockaddress(@pick, %two)]\n"
        "define i32 @pick(i32 %i) {\n"
        "  %at = getelementptr ptr, ptr @table, i32 %i\n"
        "  %to = load ptr, ptr %at\n"
        "  indirectbr ptr %to, [label %one, label %two, label %one]\n"
        "one:\n"
        "  %r = phi i32 [ 10, %0 ], [ 10, %0 ]\n"
        "  ret i32 %r\n"
        "two:\n"
        "  ret i32 20\n"
        "}\n"
        "define i32 @stray(i64 %to) {\n"
        "  %p = inttoptr i64 %to to ptr\n"
        "  indirectbr ptr %p, [label %one]\n"
        "one:\n"
        "  ret i32 1\n"
        "}\n";
    LLVMModuleRef module = lowered(text, lower_goto);

    (void)state;
    assert_int_equal(count_opcode(module, LLVMIndirectBr), 0);
    LLVMExecutionEngineRef engine = compiled(module);
    int (*pick)(int) = FUNCTION(engine, "pick", int (*)(int));
    int (*stray)(int64_t) = FUNCTION(engine, "stray", int (*)(int64_t));

    assert_int_equal(pick(0), 10);
    assert_int_equal(pick(1), 20);
    assert_int_equal(TRAP_OF(stray(12345)), PAGE_TRAP_UNREACHABLE);
    LLVMDisposeExecutionEngine(engine);
}

static void test_math_is_called_by_lane_and_minnum_skips_nan(void **state)
{
    static const char text[] =
        "declare <2 x double> @llvm.floor.v2f64(<2 x double>)\n"
        "declare double @llvm.minnum.f64(double, double)\n"
        "declare double @llvm.fmuladd.f64(double, double, double)\n"
        "declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)\n"
        "define double @floors(double %a, double %b) {\n"
        "  %v = insertelement <2 x double> zeroinitializer, double %a, i32 0\n"
        "  %w = insertelement <2 x double> %v, double %b, i32 1\n"
        "  %f = call <2 x double> @llvm.floor.v2f64(<2 x double> %w)\n"
        "  %x = extractelement <2 x double> %f, i32 0\n"
        "  %y = extractelement <2 x double> %f, i32 1\n"
        "  %s = fadd double %x, %y\n"
        "  ret double %s\n"
        "}\n"
        "define double @least(double %a, double %b) {\n"
        "  %r = call double @llvm.minnum.f64(double %a, double %b)\n"
        "  ret double %r\n"
        "}\n"
        "define double @rest(double %a, double %b) {\n"
        "  %r = frem double %a, %b\n"
        "  ret double %r\n"
        "}\n"
        "define double @apart(double %a, double %b, double %c) {\n"
        "  %r = call double @llvm.fmuladd.f64(double %a, double %b, "
        "double %c)\n"
        "  ret double %r\n"
        "}\n";
    LLVMModuleRef module = lowered(text, lower_math);

    (void)state;
    assert_int_equal(count_calls(module, "floor"), 2);
    LLVMExecutionEngineRef engine = compiled(module);
    double (*least)(double, double) =
        FUNCTION(engine, "least", double (*)(double, double));
    double (*floors)(double, double) =
        FUNCTION(engine, "floors", double (*)(double, double));
    double (*rest)(double, double) =
        FUNCTION(engine, "rest", double (*)(double, double));
    double (*apart)(double, double, double) =
        FUNCTION(engine, "apart", double (*)(double, double, double));
    double tiny = 0x1p-30;

    assert_true(floors(2.7, -2.7) == -1.0);
    assert_true(least(3, (double)NAN) == 3);
    assert_true(least((double)NAN, 4) == 4);
    assert_true(least(5, 4) == 4);
    assert_true(rest(7.5, 2) == 1.5);
    /* Fused, the square of tiny would be left over. */
    assert_true(apart(1 + tiny, 1 + tiny, -(1 + 2 * tiny)) == 0);
    LLVMDisposeExecutionEngine(engine);
}

static void test_undefined_values_become_zero(void **state)
{
    static const char text[] =
        "@data = global { i32, [2 x i32] } { i32 undef, [2 x i32] [i32 4, "
        "i32 poison] }\n"
        "define i32 @sum(i1 %c) {\n"
        "  %d = load i32, ptr getelementptr ({ i32, [2 x i32] }, ptr @data, "
        "i32 0, i32 1, i32 1)\n"
        "  %s = select i1 %c, i32 undef, i32 %d\n"
        "  %f = freeze i32 poison\n"
        "  %r = add i32 %s, %f\n"
        "  ret i32 %r\n"
        "}\n"
        "define <4 x i32> @shuffle(<2 x i32> %v) {\n"
        "  %r = shufflevector <2 x i32> %v, <2 x i32> poison, <4 x i32> "
        "<i32 1, i32 poison, i32 0, i32 undef>\n"
        "  ret <4 x i32> %r\n"
        "}\n";
    LLVMModuleRef module = lowered(text, lower_undef);
    char *left = LLVMPrintModuleToString(module);

    (void)state;
    assert_int_equal(count_undefined_operands(module), 0);
    assert_int_equal(count_opcode(module, LLVMFreeze), 0);
    assert_null(strstr(left, "poison"));
    assert_null(strstr(left, "undef"));
    LLVMDisposeMessage(left);
    LLVMExecutionEngineRef engine = compiled(module);
    int (*sum)(bool) = FUNCTION(engine, "sum", int (*)(bool));
    assert_int_equal(sum(true), 0);
    assert_int_equal(sum(false), 0);
    LLVMDisposeExecutionEngine(engine);
}

static void test_constructors_run_by_priority_then_order(void **state)
{
    static const char text[] =
        "@n = global i32 0\n"
        "@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] ["
        "{ i32, ptr, ptr } { i32 65535, ptr @a, ptr null }, "
        "{ i32, ptr, ptr } { i32 200, ptr @b, ptr null }, "
        "{ i32, ptr, ptr } { i32 65535, ptr @c, ptr null }]\n"
        "define internal void @push(i32 %digit) {\n"
        "  %old = load i32, ptr @n\n"
        "  %ten = mul i32 %old, 10\n"
        "  %new = add i32 %ten, %digit\n"
        "  store i32 %new, ptr @n\n"
        "  ret void\n"
        "}\n"
        "define void @a() {\n  call void @push(i32 1)\n  ret void\n}\n"
        "define i32 @b() {\n  call void @push(i32 2)\n  ret i32 0\n}\n"
        "define void @c() {\n  call void @push(i32 3)\n  ret void\n}\n"
        "define i32 @run() {\n"
        "  %r = load i32, ptr @n\n"
        "  ret i32 %r\n"
        "}\n";
    LLVMModuleRef module = meter_parse(LLVMGetGlobalContext(), text);
    struct err err = {0};

    (void)state;
    assert_int_equal(lower_constructors(module, "start", &err), 0);
    meter_assert_sound(module);
    assert_null(LLVMGetNamedGlobal(module, "llvm.global_ctors"));
    LLVMExecutionEngineRef engine = compiled(module);
    FUNCTION(engine, "start", void (*)(void))();
    assert_int_equal(FUNCTION(engine, "run", int (*)(void))(), 213);
    LLVMDisposeExecutionEngine(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variadic_arguments_arrive_through_a_pointer),
        cmocka_unit_test(test_integer_arguments_fill_their_slot),
        cmocka_unit_test(test_division_by_zero_traps_and_overflow_wraps),
        cmocka_unit_test(test_division_in_a_loop_keeps_its_phis),
        cmocka_unit_test(test_wide_division_is_a_library_call),
        cmocka_unit_test(test_shifts_are_masked_and_floats_saturate),
        cmocka_unit_test(test_atomics_become_plain_and_keep_their_meaning),
        cmocka_unit_test(test_computed_goto_reaches_labels_and_nothing_else),
        cmocka_unit_test(test_math_is_called_by_lane_and_minnum_skips_nan),
        cmocka_unit_test(test_undefined_values_become_zero),
        cmocka_unit_test(test_constructors_run_by_priority_then_order),
    };

    alarm(60);
    LLVMLinkInMCJIT();
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
