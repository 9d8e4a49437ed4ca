/* Sources that are bombs end within the build's limits, which are named, and
 * nothing in a name or a file is an argument to the compiler. */
#include "runner/base/cleanup.h"
#include "runner/build/charge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void start(struct making *making, const struct build_source *source)
{
    struct err err = {0};

    *making = (struct making){
        .source = source,
        .target = toolchain_host_target(),
        .cpu_ns = STEP_CPU_NS,
        .cpu_left_ns = STEP_CPU_NS,
    };
    diagnostics_init(&making->diagnostics);
    if (toolchain_find(&making->toolchain, &err) < 0)
        fail_msg("%s", err.msg);
}

static void stop(struct making *making)
{
    toolchain_release(&making->toolchain);
    diagnostics_release(&making->diagnostics);
}

#define BOMB_CPU_NS UINT64_C(3000000000)

struct bomb {
    const char *path;
    const char *text;
    unsigned repeat;  /* of `text`; 0: once */
    const char *said; /* in one of the diagnostics */
    const char *more; /* another file's text, "other.h"; NULL: none */
};

static const struct bomb bombs[] = {
    {"a.cpp",
     "template<int N,int M>struct F{static const int v=F<N-1,2*M>::v+"
     "F<N-1,2*M+1>::v;};template<int M>struct F<0,M>{static const int v=1;"
     "};int main(){return F<30,0>::v;}",
     0, "20 seconds|1024 MiB", NULL},
    {"a.cpp", "template<int N>struct A{A<N+1> a;};A<0> a;int main(){}", 0,
     "exceeded maximum depth", NULL},
    {"a.cpp", "constexpr int f(){for(;;);return 0;}constexpr int a=f();", 0,
     "must be initialized by a constant expression", NULL},
    {"a.c", "#include \"a.c\"\n", 0, "nested too deeply", NULL},
    {"a.c", "#include \"other.h\"\nint main(void){return 0;}\n", 0,
     "20 seconds|1024 MiB",
     "#if __INCLUDE_LEVEL__<40\n#include \"other.h\"\n#include \"other.h\""
     "\n#endif\n"},
    {"a.c", "int a[]={[0x0fffffff]=1};int main(void){return a[3];}", 0,
     "1024 MiB", NULL},
    {"a.c",
     "typedef int v __attribute__((vector_size(1<<28)));v a,b;int "
     "main(void){a+=b;return a[0];}",
     0, "", NULL},
    {"a.c", "x\n", 1000000, "unknown type name", NULL},
    {"a.c", "_Pragma(\"clang __debug overflow_stack\")\n", 0,
     "itself failed on this source, twice|20 seconds", NULL},
    {"a.c", "_Pragma(\"clang __debug llvm_fatal_error\")\n", 0,
     "itself failed on this source, twice|20 seconds", NULL},
    {"a.c", "int a=1\n;int b=((((((((((((((((((((((((((((((((((((((((", 8,
     "error", NULL},
    {"a.c", "#pragma clang module import std\nint main(void){}", 0, "", NULL},
    {"a.c", "#include \"/proc/self/status\"\n", 0, "not found", NULL},
    {"a.c", "#include <../../../etc/passwd>\n", 0, "not found", NULL},
    {"a.c", "#include_next \"/etc/passwd\"\n", 0, "not found", NULL},
};

static void set_off(size_t i)
{
    const struct bomb *bomb = &bombs[i];
    auto_bitcode struct bitcode bitcode = {0};
    auto_buf struct buf text = {0};
    struct build_source source = {0};
    struct making making;
    struct err err = {0};

    for (unsigned n = 0; n < (bomb->repeat ? bomb->repeat : 1); n++)
        buf_add_str(&text, bomb->text);
    build_source_add(&source, bomb->path, text.data, text.size, &err);
    if (bomb->more)
        build_source_add(&source, "other.h", bomb->more, strlen(bomb->more),
                         &err);
    start(&making, &source);
    making.cpu_left_ns = BOMB_CPU_NS;
    int result = compile_all(&making, &bitcode, &err);
    if (result < 0 && err.kind != ERR_BUSY)
        fail_msg("bomb %zu: %s", i, err.msg);
    auto_free char *list = json_dumps(making.diagnostics.list, 0);
    bool found = result < 0 || !*bomb->said;
    auto_free char *said = mem_dup_str(bomb->said);
    char *rest = NULL;
    for (char *part = strtok_r(said, "|", &rest); part;
         part = strtok_r(NULL, "|", &rest))
        found = found || strstr(list, part) != NULL;
    if (!found || (result == 1 && *bomb->said))
        fail_msg("bomb %zu: %d, %s", i, result, list);
    if (strstr(list, "/usr/") || strstr(list, "/tmp/") ||
        strlen(list) > 2 * DIAGNOSTICS_MAX_BYTES)
        fail_msg("bomb %zu tells of the host: %.2000s", i, list);
    stop(&making);
    build_source_release(&source);
}

static void test_bombs_end_within_their_limits_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++)
        set_off(i);
}

/* Files of arguments and of configuration have no say. */
static void test_names_are_never_arguments(void **state)
{
    static const char *const names[] = {"@x.c", "-x.c", "-fplugin=x.c",
                                        "--config=x.c", "x=y.c"};
    static const char body[] = "int main(void) { return 0; }\n";

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct build_source source = {0};
        struct err err = {0};

        build_source_add(&source, names[i], body, sizeof body - 1, &err);
        build_source_add(&source, "x.h", "-nonsense", 9, &err);
        build_source_add(&source, "clang.cfg", "-nonsense", 9, &err);
        struct build *build = build_make(&source, NULL, &err);
        if (!build)
            fail_msg("%s: %s", names[i], err.msg);
        auto_free char *list = json_dumps(build->diagnostics, 0);
        if (!build->ready)
            fail_msg("%s: %s", names[i], list);
        build_free(build);
        build_source_release(&source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bombs_end_within_their_limits_by_name),
        cmocka_unit_test(test_names_are_never_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
