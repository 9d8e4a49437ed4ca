/* A bot of the real toolchain that uses all kinds of memory: at every turn, no
 * memory that it can read holds a hidden address. Needs bout-meter and the
 * metered library, as `make tests` has them. */
#include "tests/unit/box_fixture.h"

#include "runner/build/build.h"
#include "tests/unit/box_scan.h"

static const char program[] =
    "#include <setjmp.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "static jmp_buf env;\n"
    "static double kept[64];\n"
    "static char *last;\n"
    "static int compare(const void *a, const void *b)\n"
    "{\n"
    "    return *(const int *)a - *(const int *)b;\n"
    "}\n"
    "static int deep(int n, int *above)\n"
    "{\n"
    "    int here[20] = {n, *above};\n"
    "    if (n == 0)\n"
    "        longjmp(env, 1);\n"
    "    return deep(n - 1, here) + here[n % 20];\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    char line[256];\n"
    "    int numbers[100];\n"
    "    for (int turn = 1; fgets(line, sizeof line, stdin); turn++) {\n"
    "        int seen = 0, sum = turn;\n"
    "        sscanf(line, \"%d\", &seen);\n"
    "        for (int i = 0; i < 100; i++)\n"
    "            numbers[i] = (i * 7919 + seen) % 101;\n"
    "        qsort(numbers, 100, sizeof *numbers, compare);\n"
    "        if (setjmp(env) == 0)\n"
    "            sum += deep(50, &sum);\n"
    "        kept[turn % 64] = sum / 3.0;\n"
    "        free(last);\n"
    "        last = malloc((size_t)turn * 1000);\n"
    "        memset(last, 'x', (size_t)turn * 1000);\n"
    "        snprintf(last, 100, \"%d %f %p\", numbers[turn % 100],\n"
    "                 kept[turn % 64], (void *)numbers);\n"
    "        printf(\"%s\\n\", last);\n"
    "        fprintf(stderr, \"turn %d\\n\", turn);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

static struct build *make(void)
{
    struct build_source source = {0};
    struct build *build;

    if (build_source_add(&source, "bot.c", program, strlen(program),
                         &fixture_err) < 0)
        fail_msg("%s", fixture_err.msg);
    build = build_make(&source, NULL, &fixture_err);
    build_source_release(&source);
    if (!build)
        fail_msg("%s", fixture_err.msg);
    assert_true(build->ready);
    return build;
}

static void spawn(struct build *build, struct box *box)
{
    struct box_spec spec = {
        .name = "slot 1",
        .elf_fd = build_elf_fd(build, &fixture_err),
        .counters_count = build->counters_count,
        .data_bytes = build->data_bytes,
        .memory_bytes = 64u << 20,
        .stack_bytes = 8u << 20,
        .view_bytes = FIXTURE_VIEW_BYTES,
        .reply_bytes = FIXTURE_REPLY_BYTES,
        .log_bytes = FIXTURE_LOG_BYTES,
    };

    if (box_spawn(fixture_zygote, &spec, box, &fixture_err) < 0)
        fail_msg("%s", fixture_err.msg);
}

static void test_a_real_bot_never_sees_a_hidden_address(void **state)
{
    struct build *build = make();
    struct box box;

    (void)state;
    spawn(build, &box);
    assert_int_equal(fixture_turn(&box, "").end, TURN_ASKED);
    assert_int_equal(box_scan_secrets(&box), 0);
    for (int i = 1; i <= 60; i++) {
        char view[32];

        snprintf(view, sizeof view, "%d\n", i);
        struct turn turn = fixture_turn(&box, view);
        assert_int_equal(turn.end, TURN_ASKED);
        assert_true(turn.reply_size > 10);
        assert_int_equal(box_scan_secrets(&box), 0);
    }
    box_end(&box);
    build_free(build);
}

static int set_up(void **state)
{
    (void)state;
    fixture_zygote = zygote_start(0, &fixture_err);
    return fixture_zygote ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_real_bot_never_sees_a_hidden_address),
    };

    return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
