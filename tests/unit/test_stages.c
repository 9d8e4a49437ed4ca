/* What one stage hands to the next, replaced by something hostile: the build is
 * rejected or fails as an error of ours, and is never ready. */
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/charge.h"
#include "runner/build/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char hello[] = "#include <stdio.h>\n"
                            "int main(void) { return getchar(); }\n";

/* ---- a build that can be started at any stage -----------------------------
 */

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

/* What clang makes of `hello`. */
static void compile_hello(struct bitcode *bitcode)
{
    struct build_source source = {0};
    struct making making;
    struct err err = {0};

    build_source_add(&source, "bot.c", hello, sizeof hello - 1, &err);
    start(&making, &source);
    assert_int_equal(compile_all(&making, bitcode, &err), 1);
    stop(&making);
    build_source_release(&source);
}

/* ---- outputs of bout-meter ----------------------------------------------- */

/* The meter that spoils this, as a file. To be freed. $BOUT_TEST_TOOLS: as in
 * test_workbox.c. */
static char *spoiling_meter(const char *folder, const char *spoil)
{
    struct err err;
    const char *tools = getenv("BOUT_TEST_TOOLS");
    auto_free char *program =
        tools ? mem_dup_str(tools) : io_program_folder(&err);
    auto_free char *from = mem_format("%s/hostile-meter", program);
    auto_buf struct buf bytes = {0};
    char *to = mem_format("%s/meter", folder);

    assert_int_equal(io_read_file(from, 1u << 30, &bytes, &err), 0);
    buf_add_str(&bytes, spoil);
    assert_int_equal(io_write_file(to, bytes.data, bytes.size, 0755, &err), 0);
    return to;
}

/* Does the unit become a whole build by this meter? */
static bool is_ready_with(const char *meter, const struct bitcode *bitcode,
                          char **said)
{
    struct build_source source = {0};
    struct build *build = build_new();
    struct making making;
    struct err err = {0};

    start(&making, &source);
    free(making.toolchain.meter);
    making.toolchain.meter = mem_dup_str(meter);
    int result = charge_module(&making, bitcode, build, &err);
    if (result == 1)
        result = charge_link(&making, build, &err);
    if (result < 0)
        assert_true(err.kind == ERR_SYSTEM || err.kind == ERR_TOO_BIG);
    if (result == 0)
        assert_true(json_array_size(making.diagnostics.list) > 0);
    *said = result < 0 ? mem_dup_str(err.msg)
                       : json_dumps(making.diagnostics.list, 0);
    stop(&making);
    build_free(build);
    return result == 1;
}

static void test_no_spoiled_output_becomes_a_build(void **state)
{
    enum { COMMON_HOWS = 4 };
    static const char *const hows[] = {"empty",  "half", "random", "link",
                                       "gone",   "huge", "other",  "json",
                                       "folder", "pipe"};
    static const char *const files[][2] = {
        {"bot", "module.bc"}, {"bot", "module.hash"}, {"bot", "blocks.json"},
        {"link", "bot.%s.o"}, {"link", "syms.%s.ld"}, {"link", "layout.json"},
    };
    auto_bitcode struct bitcode bitcode = {0};

    compile_hello(&bitcode);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t j = 0; j < sizeof hows / sizeof *hows; j++) {
            if (j >= COMMON_HOWS && i % 3 != 0)
                continue; /* the kind of file is looked at in one place */
            const char *mark = strchr(files[i][1], '%');
            int before = mark ? (int)(mark - files[i][1]) : 64;
            auto_free char *spoil =
                mem_format("\nSPOIL %s %.*s%s%s %s\n", files[i][0], before,
                           files[i][1], mark ? toolchain_host_target() : "",
                           mark ? mark + 2 : "", hows[j]);
            auto_free char *meter = spoiling_meter(*state, spoil);
            auto_free char *said = NULL;
            if (is_ready_with(meter, &bitcode, &said))
                fail_msg("ready with %s", spoil + 1);
        }
}

/* Else the test above would show nothing. */
static void test_the_same_meter_spoiling_nothing_makes_a_build(void **state)
{
    auto_free char *meter = spoiling_meter(*state, "\nSPOIL none none none\n");
    auto_bitcode struct bitcode bitcode = {0};
    auto_free char *said = NULL;

    compile_hello(&bitcode);
    if (!is_ready_with(meter, &bitcode, &said))
        fail_msg("%s", said);
}

/* ---- outputs of clang ---------------------------------------------------- */

/* What charge_module makes of these units; never 1. */
static void assert_no_module(struct buf *unit, size_t count, const char *what)
{
    const struct bitcode bitcode = {.unit = unit, .count = count};
    struct build_source source = {0};
    struct build *build = build_new();
    struct making making;
    struct err err = {0};

    start(&making, &source);
    int result = charge_module(&making, &bitcode, build, &err);
    if (result == 1)
        fail_msg("charged: %s", what);
    if (result == 0)
        assert_true(json_array_size(making.diagnostics.list) > 0);
    stop(&making);
    build_free(build);
}

static void test_no_hostile_bitcode_becomes_a_module(void **state)
{
    auto_bitcode struct bitcode good = {0};

    (void)state;
    compile_hello(&good);
    struct buf unit = good.unit[0];
    for (size_t cut = 0; cut < unit.size; cut += 1 + unit.size / 6) {
        struct buf part = {.data = unit.data, .size = cut};
        assert_no_module(&part, 1, "a part of a unit");
    }
    char text[] = "define i32 @main() { ret i32 0 }\n";
    struct buf ir = {.data = text, .size = sizeof text - 1};
    assert_no_module(&ir, 1, "text for bitcode");
    char elf[] = "\177ELF\2\1\1";
    struct buf other = {.data = elf, .size = sizeof elf};
    assert_no_module(&other, 1, "an executable");
    auto_free char *zeros = mem_calloc(1, 64u << 20);
    struct buf huge = {.data = zeros, .size = 64u << 20};
    assert_no_module(&huge, 1, "64 MiB of nothing");
    struct buf twice[2] = {unit, unit};
    assert_no_module(twice, 2, "two mains");
}

static void test_no_hostile_module_is_linked(void **state)
{
    static const char *const modules[] = {"", "BC\xc0\xde", "\177ELF", "[]"};

    (void)state;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        struct build_source source = {0};
        struct build *build = build_new();
        struct making making;
        struct err err = {0};

        start(&making, &source);
        build->module = mem_dup_str(modules[i]);
        build->module_size = strlen(modules[i]);
        assert_int_not_equal(charge_link(&making, build, &err), 1);
        assert_null(build->elf);
        stop(&making);
        build_free(build);
    }
}

static int set_up(void **state)
{
    struct err err = {0};

    *state = io_make_temp_folder("bout-stages", &err);
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    struct err err = {0};
    int result = io_remove_tree(*state, &err);

    free(*state);
    return result;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_meter_spoiling_nothing_makes_a_build),
        cmocka_unit_test(test_no_spoiled_output_becomes_a_build),
        cmocka_unit_test(test_no_hostile_bitcode_becomes_a_module),
        cmocka_unit_test(test_no_hostile_module_is_linked),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
