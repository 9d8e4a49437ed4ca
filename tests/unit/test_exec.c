/* Referees in any language, against the real kernel: what they say, what they
 * do wrong, and what their jail keeps from them. */
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/match/exec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#define HELLO                                                             \
    "{\"kind\":\"hello\",\"name\":\"a\",\"label\":\"A\",\"min_slots\":2," \
    "\"max_slots\":2,\"turns\":9}"
#define LINE_BYTES 100000u

/* A game whose command is `program` with one argument and `script`. */
static struct build *game_of(const char *program, const char *option,
                             const char *script)
{
    struct err err = {0};
    auto_free char *folder = io_make_temp_folder("exec", &err);
    auto_free char *json = mem_format("%s/game.json", folder);
    auto_free char *code = mem_format("%s/script", folder);
    auto_free char *text =
        mem_format("{\"exec\":[\"%s\",\"%s\",\"script\"]}", program, option);

    assert_int_equal(io_write_file(json, text, strlen(text), 0644, &err), 0);
    assert_int_equal(io_write_file(code, script, strlen(script), 0644, &err),
                     0);
    struct build *game = build_make_game(folder, NULL, NULL, &err);
    if (!game)
        print_message("%s\n", err.msg);
    assert_non_null(game);
    io_remove_tree(folder, &err);
    return game;
}

/* What comes of asking a shell script for its first line: 0 or -1. */
static int hello_of_shell(const char *script, uint64_t answer_ns,
                          struct frame_hello *hello, struct err *err)
{
    auto_build struct build *game = game_of("/bin/sh", "-u", script);
    auto_buf struct buf frame = {0};
    struct exec exec;

    int status = exec_open(&exec, game, LINE_BYTES, err);
    assert_int_equal(status, 0);
    exec.answer_ns = answer_ns ? answer_ns : exec.answer_ns;
    status = exec_hello(&exec, &frame, err);
    exec_close(&exec);
    if (status == 0)
        status = frame_parse_hello(frame.data, frame.size, hello, err);
    hello->name = (struct frame_text){0}; /* it pointed into the frame */
    return status;
}

static void fails_with(const char *script, uint64_t answer_ns,
                       const char *message)
{
    struct frame_hello hello;
    struct err err = {0};

    assert_int_equal(hello_of_shell(script, answer_ns, &hello, &err), -1);
    assert_int_equal(err.kind, ERR_SYSTEM);
    if (!strstr(err.msg, message))
        fail_msg("'%s' says nothing of '%s'", err.msg, message);
}

static void test_hello_of_a_script_becomes_a_frame(void **state)
{
    struct frame_hello hello = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(hello_of_shell("printf '%s\\n' '" HELLO "'; read -r wait",
                                    0, &hello, &err),
                     0);
    assert_int_equal(hello.min_slots, 2);
    assert_int_equal(hello.turns, 9);
    assert_int_equal(hello.view_bytes, 1048576);
}

static void test_faults_of_the_referee_are_failures_of_the_game(void **state)
{
    (void)state;
    fails_with("echo garbage; read -r wait", 0, "no JSON object");
    fails_with("echo '[1]'; read -r wait", 0, "no JSON object");
    fails_with("echo '{\"kind\":\"report\"}'; read -r wait", 0, "\"kind\"");
    fails_with("echo oh no >&2; exit 3", 0, "it ended by itself: oh no");
    fails_with("read -r wait", 200000000, "it took too long");
    fails_with("while :; do :; done", 200000000, "it took too long");
    fails_with("while :; do printf aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done", 0,
               "longer than the limits allow");
}

static void test_a_line_beyond_the_answer_is_refused(void **state)
{
    auto_build struct build *game = game_of(
        "/bin/sh", "-u", "printf '%s\\n' '" HELLO "' more; read -r wait");
    auto_buf struct buf frame = {0};
    struct err err = {0};
    struct exec exec;

    (void)state;
    assert_int_equal(exec_open(&exec, game, LINE_BYTES, &err), 0);
    assert_int_equal(exec_hello(&exec, &frame, &err), 0);
    const struct exec_start start = {1, 2, 0, 9};
    /* "more" may come with the first line or after it: refused either way. */
    assert_int_equal(exec_begin(&exec, &start, &frame, &err), -1);
    assert_int_equal(err.kind, ERR_SYSTEM);
    exec_close(&exec);
}

static void test_a_report_is_checked_member_by_member(void **state)
{
    static const struct {
        const char *line;
        const char *message; /* NULL: it is fine */
    } row[] = {
#define REPORT(moves, over, scores, state, asks)              \
    "{\"kind\":\"report\",\"moves\":" moves ",\"over\":" over \
    ",\"scores\":" scores ",\"state\":" state ",\"asks\":" asks "}"
        {REPORT("[]", "\"no\"", "[1,2]", "{}", "[{\"slot\":0,\"view\":\"v\"}]"),
         NULL},
        {REPORT("{}", "\"no\"", "[1,2]", "{}", "[]"), "\"moves\""},
        {REPORT("[{}]", "\"no\"", "[1,2]", "{}", "[]"), "\"legal\""},
        {REPORT("[]", "1", "[1,2]", "{}", "[]"), "\"over\""},
        {REPORT("[]", "\"no\"", "[1.5,2]", "{}", "[]"), "\"scores\""},
        {REPORT("[]", "\"no\"", "[1,2]", "3", "[]"), "\"state\""},
        {REPORT("[]", "\"no\"", "[1,2]", "{}", "[{\"slot\":9}]"), "\"slot\""},
        {REPORT("[]", "\"no\"", "[1,2]", "{}", "[{\"slot\":0}]"), "\"view\""},
        {REPORT("[]", "\"no\"", "[1,2,3,4,5,6,7,8,9]", "{}", "[]"),
         "\"scores\""},
        {"{\"kind\":\"report\"}", "\"moves\""},
        {"", "no JSON object"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        auto_buf struct buf frame = {0};
        struct err err = {0};
        int status =
            exec_line_report(row[i].line, strlen(row[i].line), &frame, &err);

        assert_int_equal(status, row[i].message ? -1 : 0);
        if (row[i].message)
            assert_non_null(strstr(err.msg, row[i].message));
    }
}

/* It tries what it must not, and tells as its name what worked. */
static void test_the_jail_lets_a_referee_compute_and_no_more(void **state)
{
    static const char script[] =
        "import os, socket, json, sys, subprocess, signal\n"
        "worked = []\n"
        "def attempt(name, act):\n"
        "    try:\n"
        "        act()\n"
        "        worked.append(name)\n"
        "    except Exception:\n"
        "        pass\n"
        "attempt('socket', lambda: socket.socket())\n"
        "attempt('fork', os.fork)\n"
        "attempt('process', lambda: subprocess.run(['/usr/bin/true']))\n"
        "attempt('source', lambda: open('script', 'a'))\n"
        "attempt('file', lambda: open('../out/file', 'w'))\n"
        "attempt('root', lambda: open('/file', 'w'))\n"
        "attempt('passwd', lambda: open('/etc/passwd'))\n"
        "attempt('parent', lambda: os.kill(os.getppid() or 1 << 20, 0))\n"
        "attempt('memory', lambda: bytearray(1 << 31))\n"
        "attempt('read', lambda: open('script'))\n"
        "print(json.dumps({'kind': 'hello', 'name': '-'.join(worked),\n"
        "  'label': 'A', 'min_slots': 1, 'max_slots': 1, 'turns': 1}))\n"
        "sys.stdout.flush()\n"
        "sys.stdin.read()\n";
    auto_build struct build *game = game_of("/usr/bin/python3", "-I", script);
    auto_buf struct buf frame = {0};
    struct frame_hello hello;
    struct err err = {0};
    struct exec exec;

    (void)state;
    assert_int_equal(exec_open(&exec, game, LINE_BYTES, &err), 0);
    if (exec_hello(&exec, &frame, &err) < 0)
        fail_msg("%s", err.msg);
    assert_int_equal(frame_parse_hello(frame.data, frame.size, &hello, &err),
                     0);
    auto_free char *name = mem_dup(hello.name.bytes, hello.name.size);
    assert_string_equal(name, "read");
    exec_close(&exec);
}

static void test_its_version_is_that_of_its_files(void **state)
{
    auto_build struct build *one = game_of("/bin/sh", "-u", "echo 1");
    auto_build struct build *same = game_of("/bin/sh", "-u", "echo 1");
    auto_build struct build *other = game_of("/bin/sh", "-u", "echo 2");

    (void)state;
    assert_string_equal(one->hash, same->hash);
    assert_string_not_equal(one->hash, other->hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hello_of_a_script_becomes_a_frame),
        cmocka_unit_test(test_faults_of_the_referee_are_failures_of_the_game),
        cmocka_unit_test(test_a_line_beyond_the_answer_is_refused),
        cmocka_unit_test(test_a_report_is_checked_member_by_member),
        cmocka_unit_test(test_the_jail_lets_a_referee_compute_and_no_more),
        cmocka_unit_test(test_its_version_is_that_of_its_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
