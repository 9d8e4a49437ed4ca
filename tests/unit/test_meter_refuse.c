/* What a program may not hold, and what it is told. Each case is IR as the
 * front end makes it of a hostile or unlucky source. */
#include "instrument/meter/refuse.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LAYOUT "target datalayout = \"e-m:e-i64:64-n32:64-S128\"\n"

static bool defines_puts(void *context, const char *name)
{
    (void)context;
    return !strcmp(name, "puts");
}

static void look_at(const char *text, struct refusals *refusals)
{
    char whole[8192];
    char *message = NULL;
    LLVMModuleRef module = NULL;
    LLVMContextRef context = LLVMContextCreate();

    snprintf(whole, sizeof whole, LAYOUT "%s", text);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        whole, strlen(whole), "test.ll");
    if (LLVMParseIRInContext(context, buffer, &module, &message))
        fail_msg("%s", message);
    refusals->library_defines = defines_puts;
    refuse_module(module, refusals);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

/* Exactly one refusal, and its message holds `part`. */
static void expect(const char *text, const char *part)
{
    auto_refusals struct refusals refusals = {0};

    look_at(text, &refusals);
    if (refusals.count != 1 || !strstr(refusals.at[0].message, part))
        fail_msg("wanted one refusal with \"%s\", got %zu: %s", part,
                 refusals.count, refusals.count ? refusals.at[0].message : "");
}

static void accept(const char *text)
{
    auto_refusals struct refusals refusals = {0};

    look_at(text, &refusals);
    if (refusals.count)
        fail_msg("refused: %s", refusals.at[0].message);
}

static void test_an_ordinary_program_is_accepted(void **state)
{
    (void)state;
    accept("@text = private constant [3 x i8] c\"hi\\00\"\n"
           "declare i32 @puts(ptr)\n"
           "declare i32 @maybe() #0\n"
           "declare extern_weak i32 @weak()\n"
           "declare ptr @memcpy(ptr, ptr, i64)\n"
           "define internal fastcc i32 @half(i128 %a, <16 x i32> %b) {\n"
           "  ret i32 1\n"
           "}\n"
           "define i32 @main() {\n"
           "  %a = call i32 @puts(ptr @text)\n"
           "  %b = call ptr @memcpy(ptr @text, ptr @text, i64 1)\n"
           "  %c = icmp eq ptr @weak, null\n"
           "  ret i32 %a\n"
           "}\n"
           "attributes #0 = { nounwind \"target-features\"=\"+vsx\" }\n");
}

static void test_assembly_is_refused(void **state)
{
    (void)state;
    expect("module asm \"nop\"\ndefine void @f() {\n  ret void\n}\n",
           "file scope");
    expect("define void @f() {\n"
           "  call void asm sideeffect \"nop\", \"\"()\n  ret void\n}\n",
           "inline assembly");
}

static void test_types_are_refused_wherever_they_hide(void **state)
{
    (void)state;
    expect("define void @f(ptr addrspace(256) %p) {\n  ret void\n}\n",
           "address_space(256)");
    expect("define void @f(ptr addrspace(257) %p) {\n  ret void\n}\n",
           "address_space(257)");
    expect("@g = global i32 ptrtoint (ptr addrspacecast (ptr addrspace(3) "
           "inttoptr (i64 8 to ptr addrspace(3)) to ptr) to i32)\n",
           "address_space(3)");
    expect("define void @f(ptr %p) {\n"
           "  %a = load [2 x { i8, i256 }], ptr %p\n  ret void\n}\n",
           "256 bits");
    expect("define void @f(ptr %p) {\n"
           "  %a = alloca <32 x i32>\n  ret void\n}\n",
           "512 bits");
    expect("define void @f(<16 x i64> %a) {\n  ret void\n}\n", "512 bits");
    expect("define void @f(ptr %p) {\n"
           "  %a = load <128 x i64>, ptr %p\n  ret void\n}\n",
           "128 lanes");
    /* What the loop vectoriser makes of bytes with a 64-bit index. */
    accept("define void @f(i64 %n, ptr %p) {\n"
           "  %i = insertelement <16 x i64> poison, i64 %n, i64 0\n"
           "  %a = icmp ugt <16 x i64> %i, zeroinitializer\n"
           "  %b = zext <16 x i1> %a to <16 x i8>\n"
           "  store <16 x i8> %b, ptr %p\n  ret void\n}\n");
    expect("define void @f(ptr %p) {\n"
           "  %a = getelementptr ppc_fp128, ptr %p, i64 1\n  ret void\n}\n",
           "__ibm128");
    expect("@h = global half 0.0\n", "_Float16");
    expect("define void @f(ptr %p) {\n"
           "  %a = load <vscale x 4 x i32>, ptr %p\n  ret void\n}\n",
           "another machine");
}

static void test_intrinsics_outside_the_list_are_refused(void **state)
{
    (void)state;
    expect("declare i64 @llvm.readcyclecounter()\n"
           "define i64 @f() {\n"
           "  %a = call i64 @llvm.readcyclecounter()\n  ret i64 %a\n}\n",
           "clock()");
    expect("declare ptr @llvm.returnaddress(i32)\n"
           "define ptr @f() {\n"
           "  %a = call ptr @llvm.returnaddress(i32 0)\n  ret ptr %a\n}\n",
           "__builtin_return_address");
    expect("declare i64 @llvm.ppc.mftbu()\n"
           "define i64 @f() {\n"
           "  %a = call i64 @llvm.ppc.mftbu()\n  ret i64 %a\n}\n",
           "llvm.ppc.mftbu");
    expect("declare void @llvm.x86.sse2.pause()\n"
           "define void @f() {\n"
           "  call void @llvm.x86.sse2.pause()\n  ret void\n}\n",
           "x86 builtins");
}

static void test_names_of_the_runtime_are_refused(void **state)
{
    (void)state;
    expect("define void @__bout_charge(i64 %n) {\n  ret void\n}\n",
           "belongs to the runtime");
    expect("@__bout_remaining = external global i64\n"
           "define i64 @f() {\n  %a = load i64, ptr @__bout_remaining\n"
           "  ret i64 %a\n}\n",
           "belongs to the runtime");
    expect("@\"C.main\" = global i32 0\n", "asm label");
    expect("@\"\\01_start\" = global i32 0\n", "asm label");
    expect("@llvm.metadata.mine = global i32 0\n", "asm label");
}

static void test_missing_functions_name_the_substitute(void **state)
{
    (void)state;
    expect("declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
           "define i32 @f() {\n"
           "  %a = call i32 @pthread_create(ptr null, ptr null, ptr null, "
           "ptr null)\n  ret i32 %a\n}\n",
           "one thread");
    expect("declare i32 @nowhere()\n"
           "define i32 @f() {\n  %a = call i32 @nowhere()\n  ret i32 %a\n}\n",
           "neither by the program nor by the library");
    accept("declare i32 @nowhere()\n"); /* declared, never used */
}

static void test_requests_about_layout_are_refused(void **state)
{
    (void)state;
    expect("@g = global i32 0, section \".init\"\n", "section \".init\"");
    expect("define void @f() section \"x\" {\n  ret void\n}\n", "section");
    expect("define void @f() naked {\n  unreachable\n}\n", "naked");
    expect("@g = global i32 0, align 1048576\n", "alignment");
    expect("define ptr @r() {\n  ret ptr null\n}\n"
           "@i = ifunc void (), ptr @r\n",
           "ifunc");
    expect("define preserve_allcc void @f() {\n  ret void\n}\n",
           "calling convention");
    expect("!llvm.dependent-libraries = !{!0}\n!0 = !{!\"m\"}\n",
           "request to the linker");
}

static void test_huge_data_is_refused_without_wrapping(void **state)
{
    (void)state;
    expect("@a = global [3221225472 x i8] zeroinitializer\n", "3221225472");
    expect("@a = global [4611686018427387904 x i64] zeroinitializer\n"
           "@b = global [700000000 x i8] zeroinitializer\n"
           "@c = global [700000000 x i8] zeroinitializer\n",
           "take");
}

static void test_setjmp_is_called_as_the_header_says(void **state)
{
    (void)state;
    accept("declare i32 @setjmp(ptr) returns_twice\n"
           "define i32 @f(ptr %p) {\n"
           "  %a = call i32 @setjmp(ptr %p)\n  ret i32 %a\n}\n");
    expect("declare void @setjmp()\n"
           "define void @f() {\n  call void @setjmp()\n  ret void\n}\n",
           "<setjmp.h>");
    expect("declare i32 @setjmp(ptr)\n@g = global ptr @setjmp\n",
           "its address is not available");
    expect("declare void @longjmp(ptr, i32)\n@g = global ptr @longjmp\n",
           "its address is not available");
    expect("declare i32 @memcpy(i32)\n"
           "define i32 @f() {\n"
           "  %a = call i32 @memcpy(i32 1)\n  ret i32 %a\n}\n",
           "<string.h>");
}

static void test_a_refusal_says_file_and_line(void **state)
{
    static const char text[] =
        "define void @f() !dbg !4 {\n"
        "  call void asm sideeffect \"nop\", \"\"(), !dbg !7\n"
        "  ret void, !dbg !7\n"
        "}\n"
        "!llvm.dbg.cu = !{!0}\n"
        "!llvm.module.flags = !{!3}\n"
        "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, "
        "emissionKind: LineTablesOnly)\n"
        "!1 = !DIFile(filename: \"src/bot.c\", directory: \"/\")\n"
        "!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
        "!4 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, "
        "line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition)\n"
        "!5 = !DISubroutineType(types: !6)\n"
        "!6 = !{}\n"
        "!7 = !DILocation(line: 17, column: 5, scope: !4)\n";
    auto_refusals struct refusals refusals = {0};

    (void)state;
    look_at(text, &refusals);
    assert_int_equal(refusals.count, 1);
    assert_string_equal(refusals.at[0].file, "src/bot.c");
    assert_int_equal(refusals.at[0].line, 17);
}

static void test_equal_refusals_are_kept_once_and_bounded(void **state)
{
    auto_refusals struct refusals refusals = {0};

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        refuse_add(&refusals, "a.c", 7, "no");
    assert_int_equal(refusals.count, 1);
    for (unsigned i = 0; i < 2 * REFUSE_MAX; i++)
        refuse_add(&refusals, "a.c", i, "no %u", i);
    assert_int_equal(refusals.count, REFUSE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_ordinary_program_is_accepted),
        cmocka_unit_test(test_assembly_is_refused),
        cmocka_unit_test(test_types_are_refused_wherever_they_hide),
        cmocka_unit_test(test_intrinsics_outside_the_list_are_refused),
        cmocka_unit_test(test_names_of_the_runtime_are_refused),
        cmocka_unit_test(test_missing_functions_name_the_substitute),
        cmocka_unit_test(test_requests_about_layout_are_refused),
        cmocka_unit_test(test_huge_data_is_refused_without_wrapping),
        cmocka_unit_test(test_setjmp_is_called_as_the_header_says),
        cmocka_unit_test(test_a_refusal_says_file_and_line),
        cmocka_unit_test(test_equal_refusals_are_kept_once_and_bounded),
    };

    alarm(60);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
