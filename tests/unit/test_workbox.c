/* The workbox against the real kernel. The boxed tool is this very program,
 * mounted into its own box and told by argv[1] what to try. */
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/workbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- inside: exit code 0 means "it worked", 1 "it was refused" ----------- */

static int probe_open(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC) < 0;
}

static int probe_copy(void)
{
    char text[64] = {0};
    FILE *in = fopen("sub/in.txt", "re");
    FILE *out = fopen("../out/copy.txt", "we");

    if (!in || !out || !fgets(text, sizeof text, in))
        return 1;
    fputs(text, out);
    fclose(in);
    return fclose(out) != 0;
}

static int probe_flood(void)
{
    for (int i = 0; i < 300000; i++)
        fputs("flood\n", stderr);
    return 0;
}

static int probe_fill(void)
{
    static char block[65536];
    FILE *out = fopen("../out/big", "we");

    for (int i = 0; out && i < 4096; i++) {
        if (fwrite(block, 1, sizeof block, out) != sizeof block)
            return 1;
    }
    return 0;
}

static int probe_link(void)
{
    return symlink("/etc/passwd", "../out/link") < 0 ||
           mkfifo("../out/fifo", 0666) < 0;
}

static int probe_allocate(size_t size)
{
    void *volatile memory = malloc(size);
    bool refused = !memory;

    free(memory);
    return refused;
}

/* What malloc reads, and that it takes large portions (workbox_child.c). */
static int probe_huge(void)
{
    char *volatile memory = malloc(1);
    const char *top = sbrk(0);
    bool large = top - (memory + 1) >= 32 << 20;

    free(memory);
    if (probe_open("/sys/kernel/mm/transparent_hugepage/enabled") ||
        probe_open("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"))
        return 1;
    return !large;
}

static int probe_fork(void)
{
    long pid = syscall(SYS_fork);

    if (pid == 0)
        _exit(0);
    return pid < 0;
}

static int probe(const char *what, const char *argument)
{
    if (!strcmp(what, "open"))
        return probe_open(argument);
    if (!strcmp(what, "copy"))
        return probe_copy();
    if (!strcmp(what, "write"))
        return open(argument, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0;
    if (!strcmp(what, "fork"))
        return probe_fork();
    if (!strcmp(what, "socket"))
        return socket(AF_INET, SOCK_STREAM, 0) < 0;
    if (!strcmp(what, "root"))
        return geteuid() != 0 && getuid() != 0;
    if (!strcmp(what, "allocate"))
        return probe_allocate(strtoul(argument, NULL, 10));
    if (!strcmp(what, "huge"))
        return probe_huge();
    if (!strcmp(what, "flood"))
        return probe_flood();
    if (!strcmp(what, "fill"))
        return probe_fill();
    if (!strcmp(what, "link"))
        return probe_link();
    if (!strcmp(what, "crash"))
        raise(SIGSEGV), abort();
    if (!strcmp(what, "sleep"))
        for (;;)
            pause();
    if (!strcmp(what, "spin"))
        for (volatile unsigned i = 0;; i++)
            ;
    return 99;
}

/* ---- outside ------------------------------------------------------------- */

static struct workbox_spec spec_for(const char *const *argv,
                                    const struct workbox_mount *mount)
{
    return (struct workbox_spec){
        .name = "probe",
        .argv = argv,
        .mount = mount,
        .mount_count = 1,
        .cpu_ns = 5000000000u,
        .wall_ns = 20000000000u,
        .memory_bytes = 256u << 20,
        .work_bytes = 16u << 20,
    };
}

/* Under sanitizers, which reserve terabytes and write where a box has nothing,
 * $BOUT_TEST_TOOLS names the folder of this program without them. */
static void find_probe(char *path, size_t size)
{
    const char *folder = getenv("BOUT_TEST_TOOLS");

    if (folder) {
        snprintf(path, size, "%s/test_workbox", folder);
        return;
    }
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    assert_true(length > 0);
    path[length] = '\0';
}

static void run(const char *what, const char *argument, struct workbox *box)
{
    char self[4096];
    const struct workbox_mount mount = {"probe", self};
    const char *const argv[] = {"../probe", "probe", what, argument, NULL};
    const struct workbox_input input = {"sub/in.txt", "hello", 5};
    struct err err = {0};

    find_probe(self, sizeof self);
    struct workbox_spec spec = spec_for(argv, &mount);
    spec.input = &input;
    spec.input_count = 1;
    if (!strcmp(what, "spin"))
        spec.cpu_ns = 1000000000u;
    if (!strcmp(what, "sleep"))
        spec.wall_ns = 200000000u;
    if (workbox_run(&spec, box, &err) < 0)
        fail_msg("%s: %s", what, err.msg);
}

static void assert_refused(const char *what, const char *argument)
{
    auto_workbox struct workbox box = {0};

    run(what, argument, &box);
    if (box.end != WORKBOX_EXITED || box.code != 1)
        fail_msg("%s %s: end %d, code %d, %s", what, argument, (int)box.end,
                 box.code, box.log.data);
}

static void test_inputs_go_in_and_outputs_come_out(void **state)
{
    auto_workbox struct workbox box = {0};
    auto_buf struct buf text = {0};
    struct err err = {0};

    (void)state;
    run("copy", "", &box);
    assert_int_equal(box.end, WORKBOX_EXITED);
    assert_int_equal(box.code, 0);
    assert_int_equal(workbox_read(&box, "copy.txt", 100, &text, &err), 1);
    assert_string_equal(text.data, "hello");
    assert_int_equal(workbox_read(&box, "missing", 100, &text, &err), 0);
    assert_int_equal(workbox_read(&box, "copy.txt", 3, &text, &err), -1);
    assert_int_equal(err.kind, ERR_TOO_BIG);
}

static void test_a_box_sees_nothing_of_the_host(void **state)
{
    (void)state;
    assert_refused("open", "/etc/passwd");
    assert_refused("open", "/proc/self/status");
    assert_refused("open", "/usr/include/stdio.h");
    assert_refused("open", "/old");
    assert_refused("open", "/home");
    assert_refused("open", "../../../../tmp");
}

static void test_a_box_has_no_rights(void **state)
{
    (void)state;
    assert_refused("socket", "");
    assert_refused("fork", "");
    assert_refused("root", "");
    assert_refused("write", "/usr/lib/x");
    if (geteuid() == 0) { /* else the files are the box's own uid's */
        assert_refused("write", "sub/in.txt");
        assert_refused("write", "/x");
    }
}

static void test_memory_is_limited(void **state)
{
    (void)state;
    assert_refused("allocate", "300000000");
}

static void test_a_tools_memory_is_asked_for_in_large_portions(void **state)
{
    auto_workbox struct workbox box = {0};

    (void)state;
    run("huge", "", &box);
    if (box.level == WORKBOX_LIMITS)
        skip(); /* it sees the host's own folders, or none */
    assert_int_equal(box.end, WORKBOX_EXITED);
    assert_int_equal(box.code, 0);
}

static void test_the_work_folder_is_limited(void **state)
{
    auto_workbox struct workbox box = {0};

    (void)state;
    run("fill", "", &box);
    assert_true(box.code == 1 || box.code == SIGXFSZ);
}

static void test_output_is_cut_and_said_so(void **state)
{
    auto_workbox struct workbox box = {0};

    (void)state;
    run("flood", "", &box);
    assert_int_equal(box.code, 0);
    assert_int_equal(box.log.size, WORKBOX_TEXT_MAX_BYTES);
    assert_true(box.log_cut);
}

static void test_only_regular_outputs_are_read(void **state)
{
    auto_workbox struct workbox box = {0};
    auto_buf struct buf text = {0};
    struct err err = {0};

    (void)state;
    run("link", "", &box);
    assert_int_equal(box.code, 0);
    assert_int_equal(workbox_read(&box, "link", 9999, &text, &err), 0);
    assert_int_equal(workbox_read(&box, "fifo", 9999, &text, &err), 0);
    assert_int_equal(text.size, 0);
}

static void test_an_endless_loop_is_over_time(void **state)
{
    auto_workbox struct workbox box = {0};

    (void)state;
    run("spin", "", &box);
    assert_int_equal(box.end, WORKBOX_OVER_TIME);
    assert_true(box.cpu_ns >= 900000000u && box.cpu_ns < 4000000000u);
}

static void test_one_that_waits_is_starved_and_not_over_time(void **state)
{
    auto_workbox struct workbox box = {0};

    (void)state;
    run("sleep", "", &box);
    assert_int_equal(box.end, WORKBOX_STARVED);
}

static void test_a_crash_is_a_result(void **state)
{
    auto_workbox struct workbox box = {0};

    (void)state;
    run("crash", "", &box);
    assert_int_equal(box.end, WORKBOX_SIGNALLED);
}

static void test_a_missing_tool_is_an_error_that_names_it(void **state)
{
    const char *const argv[] = {"../nothing", NULL};
    const struct workbox_mount mount = {"probe", "/usr/lib"};
    struct workbox_spec spec = spec_for(argv, &mount);
    auto_workbox struct workbox box = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(workbox_run(&spec, &box, &err), -1);
    assert_string_equal(err.msg, "probe: cannot start: No such file or "
                                 "directory");
}

/* Root without the right to mount, as in most containers. */
static int drop_mount_right(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];

    if (syscall(SYS_capget, &head, data) < 0)
        return -1;
    data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective &= ~CAP_TO_MASK(CAP_SYS_ADMIN);
    data[CAP_TO_INDEX(CAP_SYS_ADMIN)].permitted &= ~CAP_TO_MASK(CAP_SYS_ADMIN);
    return (int)syscall(SYS_capset, &head, data);
}

/* 0: boxed as it should be. In a process of its own. */
static int try_without_namespaces(void)
{
    auto_workbox struct workbox copy = {0};
    auto_workbox struct workbox host = {0};
    auto_workbox struct workbox net = {0};

    if (drop_mount_right() < 0)
        return 2;
    run("copy", "", &copy);
    if (copy.level != WORKBOX_LIMITS || copy.code != 0)
        return 3;
    run("open", "/etc/passwd", &host);
    if (host.code != 1 && syscall(SYS_landlock_create_ruleset, NULL, 0,
                                  LANDLOCK_CREATE_RULESET_VERSION) > 0)
        return 4;
    run("socket", "", &net);
    return net.code == 1 ? 0 : 5;
}

static void test_without_namespaces_the_rest_still_holds(void **state)
{
    int status = -1;

    (void)state;
    if (geteuid() != 0)
        skip(); /* an ordinary user has no right to drop */
    pid_t pid = fork();
    if (pid == 0)
        _exit(try_without_namespaces());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int count_open(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void test_nothing_stays_open_or_unreaped(void **state)
{
    int before = count_open();

    (void)state;
    for (int i = 0; i < 5; i++) {
        auto_workbox struct workbox box = {0};
        run("copy", "", &box);
    }
    assert_int_equal(count_open(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs_go_in_and_outputs_come_out),
        cmocka_unit_test(test_a_box_sees_nothing_of_the_host),
        cmocka_unit_test(test_a_box_has_no_rights),
        cmocka_unit_test(test_memory_is_limited),
        cmocka_unit_test(test_a_tools_memory_is_asked_for_in_large_portions),
        cmocka_unit_test(test_the_work_folder_is_limited),
        cmocka_unit_test(test_output_is_cut_and_said_so),
        cmocka_unit_test(test_only_regular_outputs_are_read),
        cmocka_unit_test(test_an_endless_loop_is_over_time),
        cmocka_unit_test(test_one_that_waits_is_starved_and_not_over_time),
        cmocka_unit_test(test_a_crash_is_a_result),
        cmocka_unit_test(test_a_missing_tool_is_an_error_that_names_it),
        cmocka_unit_test(test_without_namespaces_the_rest_still_holds),
        cmocka_unit_test(test_nothing_stays_open_or_unreaped),
    };

    if (argc >= 3 && !strcmp(argv[1], "probe"))
        return probe(argv[2], argc > 3 ? argv[3] : "");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
