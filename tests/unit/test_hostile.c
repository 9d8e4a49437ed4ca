/* Every raw bot of tests/hostile/native against the verdict that its first
 * comment states, several times: the same each time, and nothing left over. */
#include "tests/unit/box_fixture.h"

#include "instrument/bot/page.h"
#include "runner/base/clock.h"

#include <dirent.h>
#include <seccomp.h>
#include <stdio.h>

#define REPEATS_DEFAULT 5

static const char *const end_words[] = {
    [TURN_ASKED] = "asked",   [TURN_EXITED] = "exit",
    [TURN_BUDGET] = "budget", [TURN_STACK] = "stack",
    [TURN_MEMORY] = "memory", [TURN_OUTPUT] = "output",
    [TURN_CRASH] = "crash",   [TURN_FORBIDDEN] = "forbidden",
    [TURN_NET] = "net",       [TURN_STARVED] = "starved",
    [TURN_KILLED] = "killed",
};

static int repeats(void)
{
    const char *text = getenv("HOSTILE_REPEATS");

    return text ? atoi(text) : REPEATS_DEFAULT;
}

/* What the first comment states, up to its first '.', ',' or '(', without
 * "expect: "; *start is whether it is about turn 0. */
static void read_expected(const char *name, char *expected, size_t size,
                          bool *start)
{
    char path[512], line[256] = "";
    auto_file FILE *file = NULL;
    const char *from;

    snprintf(path, sizeof path, "tests/hostile/native/%s.c", name);
    file = fopen(path, "re");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    from = line + strlen("/* expect: ");
    assert_true(strncmp(line, "/* expect: ", strlen("/* expect: ")) == 0);
    *start = strncmp(from, "turn 0 ", 7) == 0;
    if (*start)
        from += 7;
    snprintf(expected, size, "%.*s", (int)strcspn(from, ".,("), from);
    size_t end = strlen(expected);
    if (end && expected[end - 1] == ' ')
        expected[end - 1] = '\0';
}

static void say(const struct turn *turn, char *text, size_t size)
{
    if (turn->end == TURN_EXITED)
        snprintf(text, size, "exit %d", turn->code);
    else
        snprintf(text, size, "%s%s%s", end_words[turn->end],
                 *turn->detail ? " " : "", turn->detail);
}

/* A host that gives no time is no end: as a match is, it is played again. */
static struct turn play(const char *name, bool start, struct box *box)
{
    struct turn turn = {.end = TURN_STARVED};

    for (int tries = 0; tries < 10 && turn.end == TURN_STARVED; tries++) {
        if (tries)
            box_end(box);
        fixture_spawn(name, box);
        turn = start ? fixture_turn(box, "")
                     : fixture_first_turn(box, "view\n", 5);
    }
    return turn;
}

static void check_bot(const char *name)
{
    char expected[200], got[200];
    uint64_t instructions = 0;
    bool start;

    read_expected(name, expected, sizeof expected, &start);
    for (int i = 0; i < repeats(); i++) {
        struct box box;
        struct turn turn = play(name, start, &box);

        say(&turn, got, sizeof got);
        if (strcmp(expected, got) != 0)
            fail_msg("%s, run %d: expected '%s', got '%s'", name, i, expected,
                     got);
        if (turn.counted && i > 0)
            assert_int_equal(turn.instructions, instructions);
        instructions = turn.instructions;
        assert_int_equal(box.ended, turn.end != TURN_ASKED);
        box_end(&box);
    }
}

static void test_every_bot_gets_its_verdict(void **state)
{
    auto_dir DIR *folder = opendir("tests/hostile/native");
    struct dirent *entry;
    int count = 0;

    (void)state;
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        char *dot = strrchr(entry->d_name, '.');

        if (!dot || strcmp(dot, ".c") != 0)
            continue;
        *dot = '\0';
        if (strcmp(entry->d_name, "call") == 0)
            continue; /* test_every_system_call_is_named */
        if (strncmp(entry->d_name, "forge", 5) == 0 &&
            strcmp(entry->d_name, "forge_start") != 0)
            continue; /* test_forged_words... */
        check_bot(entry->d_name);
        count++;
    }
    assert_true(count > 30);
}

/* ---- system calls ------------------------------------------------------ */

static void check_call(const long call[3], const char *name)
{
    struct box box;

    fixture_spawn("call", &box);
    struct turn turn = fixture_first_turn(&box, call, 3 * sizeof *call);
    if (turn.end != TURN_FORBIDDEN || strcmp(turn.detail, name) != 0)
        fail_msg("call %ld: expected '%s', got end %d '%s'", call[0], name,
                 turn.end, turn.detail);
    assert_false(turn.counted);
    box_end(&box);
}

static void test_every_system_call_is_named(void **state)
{
    (void)state;
    for (long number = -1; number < 470; number++) {
        char unnamed[40];
        char *name =
            seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, (int)number);

        snprintf(unnamed, sizeof unnamed, "system call %ld", number);
        /* 335 and 336, uretprobe and uprobe, never reach a filter: the kernel
         * answers with SIGILL. */
        if (number != 335 && number != 336 &&
            (!name || strcmp(name, "exit_group") != 0))
            check_call((long[3]){number, 0, 0}, name ? name : unnamed);
        free(name);
    }
    check_call((long[3]){0x40000027, 0, 0}, "system call 1073741863");
}

static void test_futex_on_other_words_is_forbidden(void **state)
{
    const long io = (long)PAGE_IO_ADDRESS;

    (void)state;
    check_call((long[3]){202, io + 8, 0}, "futex"); /* another word */
    check_call((long[3]){202, io, 1}, "futex");     /* WAKE request */
    check_call((long[3]){202, io + 4, 0}, "futex"); /* WAIT answer */
    check_call((long[3]){202, io, 128}, "futex");   /* private */
    check_call((long[3]){202, PAGE_DATA_ADDRESS, 1}, "futex");
    check_call((long[3]){202, io + (1l << 32), 0}, "futex");
}

/* ---- the turn protocol ------------------------------------------------- */

static struct turn forge(size_t offset, uint32_t value, long then)
{
    const long view[3] = {(long)offset, value, then};
    struct box box;

    fixture_spawn("forge", &box);
    struct turn turn = fixture_first_turn(&box, view, sizeof view);
    turn.reply = turn.log = NULL;
    box_end(&box);
    return turn;
}

static void assert_protocol(struct turn turn)
{
    assert_int_equal(turn.end, TURN_FORBIDDEN);
    assert_string_equal(turn.detail, "turn protocol");
    assert_true(turn.counted);
}

static void test_forged_turn_words_are_forbidden(void **state)
{
    static const size_t words[] = {offsetof(struct page_io, request),
                                   offsetof(struct page_io, answer),
                                   offsetof(struct page_io, phase)};
    static const uint32_t values[] = {2, 3, 77, 0x80000000, 0xffffffff};

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            assert_protocol(forge(words[i], values[j], 0));
            assert_protocol(forge(words[i], values[j], 2));
        }
    }
}

/* A forged answer neither ends the turn nor hides what ends it. */
static void test_forged_answer_changes_no_other_end(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 4; value++) {
        struct turn turn = forge(offsetof(struct page_io, answer), value, 1);

        assert_int_equal(turn.end, TURN_BUDGET);
        assert_int_equal(turn.instructions, FIXTURE_BUDGET + 1);
        turn = forge(offsetof(struct page_io, answer), value, 3);
        assert_int_equal(turn.end, TURN_CRASH);
    }
}

/* No other word of the page means anything once the bot runs. */
static void test_other_words_are_harmless(void **state)
{
    (void)state;
    for (size_t offset = 12; offset < PAGE_BYTES; offset += 4)
        assert_int_equal(forge(offset, 0x41414141, 0).end, TURN_ASKED);
}

/* ---- the same in turn 0, and how it leaves ------------------------------ */

static struct turn forge_early(size_t offset, uint32_t value, long then,
                               long code)
{
    const long seed[4] = {(long)offset, value, then, code};
    struct box_spec spec = fixture_spec("forge_early");
    struct box box;

    memcpy(spec.seed, seed, sizeof seed);
    assert_int_equal(box_spawn(fixture_zygote, &spec, &box, &fixture_err), 0);
    struct turn turn = fixture_turn(&box, ""); /* fails if it is our failure */
    turn.reply = turn.log = NULL;
    box_end(&box);
    close(spec.elf_fd);
    return turn;
}

static void test_words_forged_in_turn_0_are_forbidden(void **state)
{
    static const uint32_t values[] = {1, 2, 77, 0x80000000};

    (void)state;
    for (size_t offset = 0; offset < 12; offset += 4)
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            /* 1 is PAGE_READY: what phase holds anyway */
            if (offset == 8 && values[j] == 1)
                continue;
            assert_protocol(forge_early(offset, values[j], 0, 0));
            assert_protocol(forge_early(offset, values[j], 2, 3));
        }
}

static void test_other_words_are_harmless_in_turn_0(void **state)
{
    size_t step = repeats() > REPEATS_DEFAULT ? 4 : 68;

    (void)state;
    for (size_t offset = 12; offset < PAGE_BYTES; offset += step)
        assert_int_equal(forge_early(offset, 0x41414141, 0, 0).end, TURN_ASKED);
}

/* Also the codes with which the trusted runtime says what failed. */
static void test_no_exit_code_is_a_failure_of_ours(void **state)
{
    const long leave = 231; /* exit_group, behind the runtime's back */

    (void)state;
    for (long code = 0; code < 256; code++) {
        const long call[3] = {leave, code, 0};
        struct turn turn = forge_early(PAGE_BYTES - 4, 7, 2, code);
        struct box box;

        assert_int_equal(turn.end, TURN_EXITED);
        assert_int_equal(turn.code, code);
        fixture_spawn("call", &box);
        turn = fixture_first_turn(&box, call, sizeof call);
        assert_int_equal(turn.end, TURN_FORBIDDEN);
        assert_string_equal(turn.detail, "turn protocol");
        assert_false(turn.counted);
        box_end(&box);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bot_gets_its_verdict),
        cmocka_unit_test(test_every_system_call_is_named),
        cmocka_unit_test(test_futex_on_other_words_is_forbidden),
        cmocka_unit_test(test_forged_turn_words_are_forbidden),
        cmocka_unit_test(test_forged_answer_changes_no_other_end),
        cmocka_unit_test(test_other_words_are_harmless),
        cmocka_unit_test(test_words_forged_in_turn_0_are_forbidden),
        cmocka_unit_test(test_other_words_are_harmless_in_turn_0),
        cmocka_unit_test(test_no_exit_code_is_a_failure_of_ours),
    };

    return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
