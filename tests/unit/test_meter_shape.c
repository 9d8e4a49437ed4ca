/* The lowerings, looked at: what no module holds any more after all of them,
 * and what lives in hidden memory, which cannot run here: tests/programs run
 * it. */
#include "instrument/bot/page.h"
#include "instrument/meter/intrinsic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/meter_lowered.h"

static int every_pass(LLVMModuleRef module, struct err *err)
{
    return lower_all(module, false, err);
}

static const char everything[] =
    "@tls = thread_local global i32 3\n"
    "@other = alias i32, ptr @tls\n"
    "%big = type { [20 x i64] }\n"
    "declare ptr @llvm.threadlocal.address.p0(ptr)\n"
    "declare ptr @llvm.stacksave.p0()\n"
    "declare void @llvm.stackrestore.p0(ptr)\n"
    "declare void @llvm.lifetime.start.p0(i64, ptr)\n"
    "declare void @llvm.assume(i1)\n"
    "declare void @llvm.trap()\n"
    "declare i32 @setjmp(ptr) returns_twice\n"
    "declare void @longjmp(ptr, i32) noreturn\n"
    "declare void @use(ptr)\n"
    "declare void @end() noreturn\n"
    "define i64 @by_value(ptr byval(%big) align 8 %b) memory(read) {\n"
    "  %r = load i64, ptr %b, !range !0\n"
    "  ret i64 %r\n"
    "}\n"
    "define i32 @main(i32 %n, ptr %v) nounwind {\n"
    "  %a = alloca %big\n"
    "  %t = call ptr @llvm.threadlocal.address.p0(ptr @tls)\n"
    "  %x = load i32, ptr %t, align 4\n"
    "  call void @llvm.lifetime.start.p0(i64 8, ptr %a)\n"
    "  %s = call ptr @llvm.stacksave.p0()\n"
    "  %d = alloca i32, i32 %n, align 64\n"
    "  call void @use(ptr noalias nonnull %d)\n"
    "  call void @llvm.stackrestore.p0(ptr %s)\n"
    "  %w = call i64 @by_value(ptr byval(%big) align 8 %a)\n"
    "  %j = call i32 @setjmp(ptr %a) returns_twice\n"
    "  %c = icmp eq i32 %j, 0\n"
    "  call void @llvm.assume(i1 %c)\n"
    "  switch i32 %n, label %never [i32 1, label %one\n"
    "    i32 2, label %two\n"
    "    i32 3, label %three]\n"
    "one:\n"
    "  tail call void @end()\n"
    "  unreachable\n"
    "two:\n"
    "  call void @longjmp(ptr %a, i32 1)\n"
    "  unreachable\n"
    "three:\n"
    "  ret i32 %x\n"
    "never:\n"
    "  unreachable\n"
    "}\n"
    "!0 = !{i64 0, i64 5}\n";

static void test_all_passes_leave_the_plain_form(void **state)
{
    LLVMModuleRef module = lowered(everything, every_pass);
    auto_ir_list struct ir_list all = {0};

    (void)state;
    assert_int_equal(count_opcode(module, LLVMAlloca), 0);
    assert_int_equal(count_calls(module, "setjmp"), 0);
    assert_int_equal(count_calls(module, "__bout_setjmp"), 1);
    assert_int_equal(count_calls(module, "__bout_jump_mark"), 1);
    assert_int_equal(count_calls(module, "__bout_jump_release"), 1);
    assert_non_null(LLVMGetNamedFunction(module, "__bot_ctors"));
    assert_false(LLVMIsThreadLocal(LLVMGetNamedGlobal(module, "tls")));

    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        const char *name = ir_intrinsic(all.at[i]);

        if (name)
            assert_int_not_equal(intrinsic_find(name), INTRINSIC_LOWERED);
        if (LLVMIsALoadInst(all.at[i]))
            assert_false(LLVMHasMetadata(all.at[i]));
    }
    LLVMDisposeModule(module);
}

static void test_every_unreachable_stands_behind_a_native(void **state)
{
    LLVMModuleRef module = lowered(everything, every_pass);
    auto_ir_list struct ir_list all = {0};
    size_t met = 0;

    (void)state;
    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (!LLVMIsAUnreachableInst(all.at[i]))
            continue;
        LLVMValueRef before = LLVMGetPreviousInstruction(all.at[i]);
        assert_true(ir_is_call_of(before, "__bout_trap") ||
                    ir_is_call_of(before, "__bout_longjmp"));
        met++;
    }
    assert_int_equal(met, 3);
    LLVMDisposeModule(module);
}

/* Is `attribute` left on a line that is not LLVM's own declaration? */
static bool is_left(const char *text, const char *attribute)
{
    for (const char *at = strstr(text, attribute); at;
         at = strstr(at + 1, attribute)) {
        const char *line = at;
        const char *end = strchr(at, '\n');

        while (line > text && line[-1] != '\n')
            line--;
        const char *intrinsic = strstr(line, "@llvm.");
        bool declared =
            !strncmp(line, "declare", 7) && intrinsic && intrinsic < end;
        if (!declared && *line != ';' && strncmp(line, "attributes", 10) != 0)
            return true;
    }
    return false;
}

static void test_attributes_promise_nothing_any_more(void **state)
{
    LLVMModuleRef module = lowered(everything, every_pass);
    char *text = LLVMPrintModuleToString(module);
    unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
    static const char *const gone[] = {
        "noreturn", "noalias", "nonnull", "byval", "tail call", "!range",
    };

    (void)state;
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        if (is_left(text, gone[i]))
            fail_msg("%s is left", gone[i]);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (!LLVMGetIntrinsicID(f))
            assert_null(LLVMGetEnumAttributeAtIndex(
                f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, memory));
    }
    LLVMDisposeMessage(text);
    LLVMDisposeModule(module);
}

/* The frame that a function subtracts, as a constant in its first block. */
static int64_t frame_of(LLVMModuleRef module, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);

    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
         i = LLVMGetNextInstruction(i)) {
        if (LLVMGetInstructionOpcode(i) == LLVMSub)
            return LLVMConstIntGetSExtValue(LLVMGetOperand(i, 1));
    }
    return 0;
}

static void test_frames_hold_locals_and_calls_cost_stack(void **state)
{
    static const char text[] =
        "declare void @use(ptr)\n"
        "define void @leaf() {\n"
        "  ret void\n"
        "}\n"
        "define void @calls() {\n"
        "  call void @leaf()\n"
        "  ret void\n"
        "}\n"
        "define void @holds() {\n"
        "  %a = alloca i8, align 1\n"
        "  %b = alloca [100 x i8], align 16\n"
        "  call void @use(ptr %a)\n"
        "  call void @use(ptr %b)\n"
        "  ret void\n"
        "}\n"
        "define void @huge() {\n"
        "  %a = alloca [4611686018427387903 x i8], align 1\n"
        "  %b = alloca [4611686018427387903 x i8], align 1\n"
        "  %c = alloca i64, i64 4611686018427387905, align 8\n"
        "  call void @use(ptr %a)\n"
        "  call void @use(ptr %b)\n"
        "  call void @use(ptr %c)\n"
        "  ret void\n"
        "}\n";
    LLVMModuleRef module = lowered(text, lower_stack);

    (void)state;
    assert_int_equal(frame_of(module, "leaf"), 0);
    assert_int_equal(frame_of(module, "calls"), PAGE_FRAME_MIN_BYTES);
    assert_int_equal(frame_of(module, "holds"), 16 + 112);
    /* More than any stack, and far from wrapping around. */
    assert_true(frame_of(module, "huge") > (int64_t)PAGE_STACK_MAX_BYTES);
    assert_true(frame_of(module, "huge") <
                (int64_t)(PAGE_STACK_TOP - PAGE_STACK_MAX_BYTES));
    assert_int_equal(count_opcode(module, LLVMAlloca), 0);
    LLVMDisposeModule(module);
}

static void test_the_longest_intrinsic_name_decides(void **state)
{
    (void)state;
    assert_int_equal(intrinsic_find("llvm.memcpy.p0.p0.i64"), INTRINSIC_BULK);
    assert_int_equal(intrinsic_find("llvm.memcpy.inline.p0.p0.i64"),
                     INTRINSIC_LOWERED);
    assert_int_equal(intrinsic_find("llvm.umin.i32"), INTRINSIC_PLAIN);
    assert_int_equal(intrinsic_find("llvm.umin"), INTRINSIC_PLAIN);
    assert_int_equal(intrinsic_find("llvm.uminx"), INTRINSIC_UNKNOWN);
    assert_int_equal(intrinsic_find("llvm.readcyclecounter"),
                     INTRINSIC_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_passes_leave_the_plain_form),
        cmocka_unit_test(test_every_unreachable_stands_behind_a_native),
        cmocka_unit_test(test_attributes_promise_nothing_any_more),
        cmocka_unit_test(test_frames_hold_locals_and_calls_cost_stack),
        cmocka_unit_test(test_the_longest_intrinsic_name_decides),
    };

    alarm(60);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
