#include "tests/unit/box_fixture.h"

#include "instrument/bot/page.h"
#include "runner/base/clock.h"
#include "tests/unit/box_scan.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

enum cost {
#define COST(name, key, value, text) COST_##name = (value),
#include "instrument/cost.def"
};

static uint64_t words(uint64_t bytes)
{
    return (bytes + 7) / 8;
}

static void test_turns_carry_views_and_replies(void **state)
{
    struct box box;

    (void)state;
    fixture_spawn("echo", &box);
    struct turn turn = fixture_turn(&box, "");
    assert_int_equal(turn.end, TURN_ASKED);
    assert_string_equal(turn.reply, "hello");
    for (int i = 1; i < 200; i++) {
        char view[40];

        snprintf(view, sizeof view, "view %d\n", i);
        turn = fixture_turn(&box, view);
        assert_int_equal(turn.end, TURN_ASKED);
        assert_string_equal(turn.reply, view);
        assert_string_equal(turn.log, "log");
        assert_int_equal(box.turn, i);
    }
    box_end(&box);
}

static void test_system_work_is_priced_and_summed(void **state)
{
    struct box box;

    (void)state;
    fixture_spawn("echo", &box);
    struct turn turn = fixture_turn(&box, "");
    uint64_t start = COST_PAGE + COST_WRITE_BASE + COST_WRITE_WORD;
    assert_int_equal(turn.instructions, start);
    assert_int_equal(turn.memory_bytes, 4096);

    turn = fixture_turn(&box, "twelve bytes");
    uint64_t read = COST_READ_BASE + words(12) * COST_READ_WORD;
    uint64_t write = 2 * COST_WRITE_BASE + (words(12) + 1) * COST_WRITE_WORD;
    assert_int_equal(turn.instructions, read + 100 + write);
    assert_true(turn.counted);
    assert_int_equal(box.hidden->read_charge, read);
    assert_int_equal(box.hidden->write_charge, start - COST_PAGE + write);
    assert_int_equal(box.hidden->page_charge, COST_PAGE);
    assert_int_equal(box.spent, start + turn.instructions);
    box_end(&box);
}

static void test_large_views_arrive_whole_and_in_pieces(void **state)
{
    char view[FIXTURE_VIEW_BYTES];
    struct box box;

    (void)state;
    memset(view, 'x', sizeof view);
    fixture_spawn("input_end", &box);
    struct turn turn = fixture_first_turn(&box, view, 3000);
    assert_int_equal(turn.end, TURN_ASKED);
    assert_int_equal(turn.reply_size, 3000);
    turn = fixture_turn_bytes(&box, view, sizeof view);
    assert_int_equal(turn.end, TURN_OUTPUT);
    box_end(&box);
}

static void test_last_view_is_followed_by_end_of_input(void **state)
{
    struct turn_spec last = {
        .view = "ab", .view_size = 2, .last = true, .budget = FIXTURE_BUDGET};
    struct turn turn;
    struct box box;

    (void)state;
    fixture_spawn("input_end", &box);
    fixture_turn(&box, "");
    assert_int_equal(box_turn(&box, &last, &turn, &fixture_err), 0);
    assert_int_equal(turn.end, TURN_EXITED);
    assert_int_equal(turn.code, 3);
    assert_string_equal(turn.reply, "++");
    box_end(&box);
}

static void test_reply_of_a_bot_that_exits_is_kept(void **state)
{
    struct box box;

    (void)state;
    fixture_spawn("exit", &box);
    struct turn turn = fixture_first_turn(&box, "x", 1);
    assert_int_equal(turn.end, TURN_EXITED);
    assert_int_equal(turn.code, 7);
    assert_string_equal(turn.reply, "bye\n");
    assert_true(box.ended);
    box_end(&box);
}

static void test_log_is_cut_and_the_rest_counted(void **state)
{
    struct box box;

    (void)state;
    fixture_spawn("flood_log", &box);
    struct turn turn = fixture_first_turn(&box, "x", 1);
    assert_int_equal(turn.end, TURN_ASKED);
    assert_int_equal(turn.log_size, FIXTURE_LOG_BYTES);
    assert_int_equal(turn.log_lost, 10000 - FIXTURE_LOG_BYTES);
    box_end(&box);
}

static void test_budget_stops_at_the_block_that_goes_over(void **state)
{
    struct turn_spec spec = {.view = "x", .view_size = 1, .budget = 1101};
    struct turn turn;
    struct box box;

    (void)state;
    for (uint64_t over = 0; over < 10; over++) {
        fixture_spawn("loop", &box);
        fixture_turn(&box, "");
        spec.budget = 1101 + over;
        assert_int_equal(box_turn(&box, &spec, &turn, &fixture_err), 0);
        assert_int_equal(turn.end, TURN_BUDGET);
        /* 101 for the read, then blocks of 10 */
        assert_int_equal(turn.instructions, 1111);
        box_end(&box);
    }
}

static void test_refused_price_is_in_the_count(void **state)
{
    struct box box;

    (void)state;
    fixture_spawn("flood_huge", &box);
    struct turn turn = fixture_first_turn(&box, "x", 1);
    assert_int_equal(turn.end, TURN_BUDGET);
    assert_int_equal(turn.instructions, 101 + ((uint64_t)1 << 61));
    box_end(&box);
}

static void test_net_ends_what_is_not_charged(void **state)
{
    uint64_t net_ns = fixture_net_ns();
    struct box box;

    (void)state;
    fixture_spawn("spin", &box);
    uint64_t start_ns = clock_mono_ns();
    struct turn turn = fixture_first_turn(&box, "x", 1);
    uint64_t wall_ns = clock_mono_ns() - start_ns;
    assert_int_equal(turn.end, TURN_NET);
    assert_true(turn.cpu_known);
    assert_true(turn.cpu_ns >= net_ns && turn.cpu_ns < net_ns * 3 / 2);
    assert_true(wall_ns >= net_ns);
    assert_false(turn.counted);
    box_end(&box);
}

static void test_killed_from_outside_is_known_at_once(void **state)
{
    static const int signals[] = {SIGKILL, SIGSEGV};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct box box;

        fixture_spawn("echo", &box);
        fixture_turn(&box, "");
        kill(box.pid, signals[i]);
        struct turn turn = fixture_turn(&box, "x");
        assert_int_equal(turn.end, TURN_KILLED);
        assert_false(turn.counted);
        assert_true(box.ended);
        box_end(&box);
    }
}

static void test_unusable_executable_is_our_failure(void **state)
{
    const struct turn_spec start = {.budget = FIXTURE_BUDGET};
    struct box_spec spec = fixture_spec("echo");
    struct turn turn;
    struct box box;

    (void)state;
    close(spec.elf_fd);
    spec.elf_fd =
        io_sealed_memfd("junk", "not an executable", 17, &fixture_err);
    assert_int_equal(box_spawn(fixture_zygote, &spec, &box, &fixture_err), 0);
    assert_int_equal(box_turn(&box, &start, &turn, &fixture_err), -1);
    assert_non_null(strstr(fixture_err.msg, "slot 1: start: execute"));
    box_end(&box);
    close(spec.elf_fd);
}

static void test_too_much_data_is_a_verdict(void **state)
{
    struct box_spec spec = fixture_spec("echo");
    struct box box;

    (void)state;
    spec.data_bytes = spec.memory_bytes;
    assert_int_equal(box_spawn(fixture_zygote, &spec, &box, &fixture_err), 0);
    assert_int_equal(fixture_turn(&box, "").end, TURN_MEMORY);
    box_end(&box);
    close(spec.elf_fd);
}

static void test_memory_that_a_bot_reads_is_equal_in_every_run(void **state)
{
    char first[9] = "";

    (void)state;
    for (int run = 0; run < 100; run++) {
        struct box box;

        if (run % 2) { /* a predecessor with something to leave behind */
            char view[40];

            snprintf(view, sizeof view, "secret %d\n", run * 7919);
            fixture_spawn("echo", &box);
            fixture_first_turn(&box, view, strlen(view));
            box_end(&box);
        }
        fixture_spawn("memory", &box);
        fixture_turn(&box, "");
        struct turn turn = fixture_turn(&box, "hello\n");
        assert_int_equal(turn.reply_size, 8);
        if (run == 0)
            snprintf(first, sizeof first, "%s", turn.reply);
        assert_string_equal(turn.reply, first);
        box_end(&box);
    }
}

static void test_no_readable_memory_holds_a_hidden_address(void **state)
{
    struct box box;

    (void)state;
    fixture_spawn("echo", &box);
    fixture_turn(&box, "");
    assert_int_equal(box_scan_secrets(&box), 0);
    for (int i = 0; i < 50; i++) {
        fixture_turn(&box, "view\n");
        assert_int_equal(box_scan_secrets(&box), 0);
    }
    box_end(&box);
}

static void test_natives_leave_no_hidden_address(void **state)
{
    struct box box;

    (void)state;
    fixture_spawn("registers", &box);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(fixture_turn(&box, "view\n").end, TURN_ASKED);
        assert_int_equal(box_scan_secrets(&box), 0);
    }
    box_end(&box);
}

/* The scan itself finds what is there: the FS base, planted. */
static void test_scan_finds_a_planted_address(void **state)
{
    struct box box;
    uint64_t hidden;

    (void)state;
    fixture_spawn("echo", &box);
    fixture_turn(&box, "");
    hidden = box.hidden->start.hidden_address;
    memcpy((char *)box.io + PAGE_BYTES + 1234 + 3, &hidden, sizeof hidden);
    assert_int_equal(box_scan_secrets(&box), 1);
    box_end(&box);
}

static void test_hidden_addresses_differ_each_time(void **state)
{
    uint64_t before = 0;

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct box box;

        fixture_spawn("echo", &box);
        fixture_turn(&box, "");
        assert_int_not_equal(box.hidden->start.hidden_address, before);
        before = box.hidden->start.hidden_address;
        box_end(&box);
    }
}

static int count_lines(const char *path)
{
    auto_buf struct buf text = {0};
    int lines = 0;

    if (io_read_file(path, 1u << 24, &text, &fixture_err) < 0)
        fail_msg("%s", fixture_err.msg);
    for (size_t i = 0; i < text.size; i++)
        lines += text.data[i] == '\n';
    return lines;
}

static int count_descriptors(void)
{
    auto_dir DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    assert_non_null(folder);
    while (readdir(folder))
        count++;
    return count;
}

static void test_a_thousand_starts_leave_nothing(void **state)
{
    struct box_spec spec = fixture_spec("echo");
    int descriptors = count_descriptors();
    int mounts = count_lines("/proc/self/mountinfo");
    int maps = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        struct box box;

        assert_int_equal(box_spawn(fixture_zygote, &spec, &box, &fixture_err),
                         0);
        fixture_turn(&box, "");
        box_end(&box);
        if (i == 10)
            maps = count_lines("/proc/self/maps");
    }
    assert_int_equal(count_descriptors(), descriptors);
    assert_int_equal(count_lines("/proc/self/mountinfo"), mounts);
    assert_int_equal(count_lines("/proc/self/maps"), maps);
    /* the zygote is the only child */
    siginfo_t any = {0};
    assert_int_equal(waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT), 0);
    assert_int_equal(any.si_pid, 0);
    close(spec.elf_fd);
}

/* Gone, or dead and waiting for init. */
static bool is_dead(pid_t pid)
{
    char path[64], state = 'X';
    auto_file FILE *file = NULL;

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    file = fopen(path, "re");
    return !file || fscanf(file, "%*d %*s %c", &state) != 1 || state == 'Z' ||
           state == 'X';
}

/* Dies with the thread that started it, however that ends. */
static void test_boxes_die_with_their_runner(void **state)
{
    int pipe_rd, pipe_wr;
    pid_t pid;

    (void)state;
    assert_int_equal(io_pipe(&pipe_rd, &pipe_wr, &fixture_err), 0);
    pid_t runner = fork();
    if (runner == 0) {
        struct zygote *zygote = zygote_start(-1, &fixture_err);
        struct box_spec spec = fixture_spec("echo");
        struct box box;

        if (!zygote || box_spawn(zygote, &spec, &box, &fixture_err) < 0 ||
            box_await_start(&box, &fixture_err) < 0)
            _exit(1);
        if (write(pipe_wr, &box.pid, sizeof box.pid) < 0)
            _exit(1);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(read(pipe_rd, &pid, sizeof pid), sizeof pid);
    waitpid(runner, NULL, 0);
    for (int i = 0; i < 1000 && !is_dead(pid); i++)
        clock_sleep_ns(1000000);
    assert_true(is_dead(pid));
    close(pipe_rd);
    close(pipe_wr);
}

static uint64_t cpu_ns_of(pid_t pid)
{
    clockid_t clock;
    struct timespec time = {0};

    if (clock_getcpuclockid(pid, &clock) == 0)
        clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Spawns a bot that computes uncharged, stops itself in the midst of its turn,
 * and says how the turn ended once it runs again. */
static _Noreturn void run_stopped(int pipe_wr)
{
    const struct turn_spec forever = {.budget = FIXTURE_BUDGET,
                                      .view = "x",
                                      .view_size = 1,
                                      .cpu_ns = 500000000};
    struct zygote *zygote = zygote_start(-1, &fixture_err);
    struct box_spec spec = fixture_spec("spin");
    struct turn turn;
    struct box box;

    spec.cpu_s = 1;
    if (!zygote || box_spawn(zygote, &spec, &box, &fixture_err) < 0 ||
        box_turn(&box, &forever, &turn, &fixture_err) < 0 ||
        write(pipe_wr, &box.pid, sizeof box.pid) < 0 ||
        box_turn(&box, &forever, &turn, &fixture_err) < 0)
        _exit(100);
    box_end(&box);
    _exit(turn.end);
}

/* The kernel ends what computes while nobody looks (RLIMIT_CPU). */
static void test_a_stopped_runner_keeps_no_loop_alive(void **state)
{
    int pipe_rd, pipe_wr, status;
    pid_t pid;

    (void)state;
    assert_int_equal(io_pipe(&pipe_rd, &pipe_wr, &fixture_err), 0);
    pid_t runner = fork();
    if (runner == 0)
        run_stopped(pipe_wr);
    assert_int_equal(read(pipe_rd, &pid, sizeof pid), sizeof pid);
    /* It is in its endless turn when it uses more time than its start did. */
    uint64_t start_ns = cpu_ns_of(pid);
    for (int i = 0; i < 60000 && cpu_ns_of(pid) < start_ns + 50000000; i++)
        clock_sleep_ns(1000000);
    kill(runner, SIGSTOP);
    for (int i = 0; i < 60000 && !is_dead(pid); i++)
        clock_sleep_ns(1000000);
    assert_true(is_dead(pid));
    kill(runner, SIGCONT);
    assert_int_equal(waitpid(runner, &status, 0), runner);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), TURN_NET);
    close(pipe_rd);
    close(pipe_wr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_carry_views_and_replies),
        cmocka_unit_test(test_system_work_is_priced_and_summed),
        cmocka_unit_test(test_large_views_arrive_whole_and_in_pieces),
        cmocka_unit_test(test_last_view_is_followed_by_end_of_input),
        cmocka_unit_test(test_reply_of_a_bot_that_exits_is_kept),
        cmocka_unit_test(test_log_is_cut_and_the_rest_counted),
        cmocka_unit_test(test_budget_stops_at_the_block_that_goes_over),
        cmocka_unit_test(test_refused_price_is_in_the_count),
        cmocka_unit_test(test_net_ends_what_is_not_charged),
        cmocka_unit_test(test_killed_from_outside_is_known_at_once),
        cmocka_unit_test(test_unusable_executable_is_our_failure),
        cmocka_unit_test(test_too_much_data_is_a_verdict),
        cmocka_unit_test(test_memory_that_a_bot_reads_is_equal_in_every_run),
        cmocka_unit_test(test_no_readable_memory_holds_a_hidden_address),
        cmocka_unit_test(test_natives_leave_no_hidden_address),
        cmocka_unit_test(test_scan_finds_a_planted_address),
        cmocka_unit_test(test_hidden_addresses_differ_each_time),
        cmocka_unit_test(test_a_thousand_starts_leave_nothing),
        cmocka_unit_test(test_boxes_die_with_their_runner),
        cmocka_unit_test(test_a_stopped_runner_keeps_no_loop_alive),
    };

    return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
