/* Most of it wants control groups of version 2, which few machines let a test
 * divide: tests/guest/run has a guest that does (BOUT_WANT_SLOTS: there lacking
 * them is a failure). */
#include "tests/unit/box_fixture.h"

#include "runner/base/clock.h"
#include "runner/jail/slot.h"
#include "runner/jail/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct slots *slots(void)
{
    return fixture_zygote->slots;
}

static void read_at(int folder, const char *file, char *text, size_t size)
{
    if (slot_read(folder, file, text, size) < 0)
        fail_msg("%s: %s", file, strerror(errno));
}

static uint64_t number_at(int folder, const char *file)
{
    char text[64];

    read_at(folder, file, text, sizeof text);
    return strtoull(text, NULL, 10);
}

/* The group of version 2 that a process is in. */
static void group_of(pid_t pid, char *group, size_t size)
{
    char path[64], text[4096];

    snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
    read_at(AT_FDCWD, path, text, sizeof text);
    const char *line = strstr(text, "0::");
    assert_non_null(line);
    snprintf(group, size, "%.*s", (int)strcspn(line, "\n"), line);
}

static int count_slots(void)
{
    auto_fd int fd =
        openat(slots()->home.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    auto_dir DIR *folder = fdopendir(fd);
    int count = 0;

    assert_non_null(folder);
    (void)take_fd(&fd);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strncmp(entry->d_name, SLOT_PREFIX, strlen(SLOT_PREFIX)) == 0;
    return count;
}

/* The default net: a kill for want of memory takes its time. */
static struct turn touch(struct box *box)
{
    const struct turn_spec spec = {
        .view = "x", .view_size = 1, .budget = FIXTURE_BUDGET};
    struct turn turn;

    if (box_turn(box, &spec, &turn, &fixture_err) < 0)
        fail_msg("%s", fixture_err.msg);
    return turn;
}

/* ---- with slots and without --------------------------------------------- */

static void test_a_box_has_a_slot_or_why_not_is_known(void **state)
{
    struct box box;

    (void)state;
    fixture_spawn("echo", &box);
    if (slots()->lack == SLOT_LACK_NOTHING) {
        assert_int_not_equal(box.slot, SLOT_NONE);
    } else {
        assert_int_equal(box.slot, SLOT_NONE);
        assert_true(strlen(slot_lack_text(slots()->lack)) > 0);
        assert_int_not_equal(zygote_level(fixture_zygote), JAIL_SLOT);
    }
    box_end(&box);
    box_end(&box);
}

/* ---- with slots ---------------------------------------------------------- */

/* First in each of these: skipped where there are none, but in the guest. */
static void need_slots(void)
{
    if (slots()->lack == SLOT_LACK_NOTHING)
        return;
    if (getenv("BOUT_WANT_SLOTS"))
        fail_msg("no slots: %s", slot_lack_text(slots()->lack));
    skip();
}

static void test_a_box_is_alone_in_its_slot(void **state)
{
    char group[256], own[256], zygote[256];
    struct box box;

    (void)state;
    need_slots();
    fixture_spawn("echo", &box);
    fixture_turn(&box, "");
    const struct slot *slot = &slots()->slot[box.slot];

    group_of(box.pid, group, sizeof group);
    assert_string_equal(strrchr(group, '/') + 1, slot->name);
    group_of(getpid(), own, sizeof own);
    assert_string_equal(strrchr(own, '/') + 1, "bout-run");
    group_of(fixture_zygote->pid, zygote, sizeof zygote);
    assert_string_equal(zygote, own);
    assert_int_equal(number_at(slot->folder, "pids.current"), 1);
    assert_int_equal(number_at(slot->folder, "pids.max"), 1);
    assert_int_equal(number_at(slot->folder, "memory.oom.group"), 1);
    /* What the bot may reach lies below. */
    assert_true(number_at(slot->folder, "memory.max") > 4u << 20);
    assert_true(number_at(slot->folder, "memory.current") > 0);
    box_end(&box);
    assert_int_equal(number_at(slot->folder, "pids.current"), 0);
}

static void play_three(void)
{
    struct box box[3];

    for (int i = 0; i < 3; i++) {
        fixture_spawn("echo", &box[i]);
        assert_int_equal(box[i].slot, i);
    }
    for (int i = 0; i < 3; i++)
        fixture_turn(&box[i], "");
    for (int i = 0; i < 3; i++)
        box_end(&box[i]);
}

static void test_slots_are_used_again(void **state)
{
    struct stat before, after;

    (void)state;
    need_slots();
    play_three();
    assert_int_equal(
        fstatat(slots()->home.fd, slots()->slot[2].name, &before, 0), 0);
    int made = count_slots();
    for (int i = 0; i < 50; i++)
        play_three();
    assert_int_equal(count_slots(), made);
    assert_int_equal(
        fstatat(slots()->home.fd, slots()->slot[2].name, &after, 0), 0);
    assert_int_equal(before.st_ino, after.st_ino);
}

/* The other way in, of kernels and containers that have no such clone3. */
static void test_a_child_may_enter_by_itself(void **state)
{
    char group[256];
    struct box box;

    (void)state;
    need_slots();
    auto_zygote struct zygote *zygote = zygote_start(-1, &fixture_err);
    assert_non_null(zygote);
    struct slots *own = zygote->slots;
    own->way = CHILD_SLOT_WRITTEN;
    own->slot[0].procs =
        openat(own->slot[0].folder, "cgroup.procs", O_WRONLY | O_CLOEXEC);
    assert_true(own->slot[0].procs >= 0);

    struct box_spec spec = fixture_spec("echo");
    assert_int_equal(box_spawn(zygote, &spec, &box, &fixture_err), 0);
    assert_int_equal(fixture_turn(&box, "").end, TURN_ASKED);
    group_of(box.pid, group, sizeof group);
    assert_string_equal(strrchr(group, '/') + 1, own->slot[0].name);
    box_end(&box);
    close(spec.elf_fd);
}

static void test_a_kill_for_want_of_memory_is_no_verdict(void **state)
{
    char max[32];
    struct box box;

    (void)state;
    need_slots();
    fixture_spawn("touch", &box);
    fixture_turn(&box, "");
    const struct slot *slot = &slots()->slot[box.slot];
    snprintf(max, sizeof max, "%llu", (unsigned long long)slot->memory_bytes);
    assert_int_equal(slot_write(slot->folder, "memory.max", "1048576"), 0);

    struct turn turn = touch(&box);
    assert_int_equal(turn.end, TURN_KILLED);
    assert_string_equal(turn.detail, "by the kernel, for want of memory");
    assert_false(turn.counted);
    box_end(&box);
    assert_int_equal(slot_write(slot->folder, "memory.max", max), 0);

    /* The next one is as good as new, and a hand is not the kernel. */
    fixture_spawn("touch", &box);
    fixture_turn(&box, "");
    assert_int_equal(touch(&box).end, TURN_ASKED);
    kill(box.pid, SIGKILL);
    turn = touch(&box);
    assert_int_equal(turn.end, TURN_KILLED);
    assert_string_equal(turn.detail, "");
    box_end(&box);
}

/* The budget is the verdict: the slot's bound lies above it. */
static void test_the_budget_comes_before_the_slot(void **state)
{
    struct box box;

    (void)state;
    need_slots();
    fixture_spawn("heap", &box);
    assert_int_equal(fixture_first_turn(&box, "x", 1).end, TURN_MEMORY);
    assert_int_equal(
        number_at(slots()->slot[box.slot].folder, "memory.swap.max"), 0);
    box_end(&box);
}

static pid_t kill_a_runner(void)
{
    pid_t runner = fork();

    if (runner == 0) {
        struct zygote *zygote = zygote_start(-1, &fixture_err);
        struct box_spec spec = fixture_spec("echo");
        struct box box[2];

        for (int i = 0; i < 2; i++)
            if (!zygote ||
                box_spawn(zygote, &spec, &box[i], &fixture_err) < 0 ||
                box_await_start(&box[i], &fixture_err) < 0)
                _exit(1);
        kill(getpid(), SIGKILL);
    }
    return runner;
}

static void test_the_dead_have_their_slots_swept(void **state)
{
    char name[64];
    int status;

    (void)state;
    need_slots();
    int before = count_slots();
    pid_t runner = kill_a_runner();
    assert_int_equal(waitpid(runner, &status, 0), runner);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_slots(), before + 2);
    snprintf(name, sizeof name, SLOT_PREFIX "%d-", (int)runner);

    struct slots *next = slots_open();
    assert_int_equal(next->lack, SLOT_LACK_NOTHING);
    assert_int_equal(count_slots(), before + 1); /* its trial */
    slots_close(next);
    assert_int_equal(count_slots(), before);
}

static void test_nothing_is_left_of_a_zygote(void **state)
{
    char before[256], after[256];
    int status;

    (void)state;
    need_slots();
    int count = count_slots();
    group_of(getpid(), before, sizeof before);
    pid_t pid = fork();
    if (pid == 0) {
        struct zygote *zygote = zygote_start(-1, &fixture_err);
        struct box_spec spec = fixture_spec("echo");
        struct box box;

        if (!zygote || box_spawn(zygote, &spec, &box, &fixture_err) < 0)
            _exit(1);
        box_end(&box);
        zygote_stop(zygote);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(count_slots(), count);
    group_of(getpid(), after, sizeof after);
    assert_string_equal(before, after);
}

/* Why tests are skipped, if they are: cmocka has no room for a reason. */
static int set_up(void **state)
{
    int result = fixture_set_up(state);

    if (result == 0 && slots()->lack != SLOT_LACK_NOTHING)
        print_message("# SKIP without slots: %s\n",
                      slot_lack_text(slots()->lack));
    return result;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_box_has_a_slot_or_why_not_is_known),
        cmocka_unit_test(test_a_box_is_alone_in_its_slot),
        cmocka_unit_test(test_slots_are_used_again),
        cmocka_unit_test(test_a_child_may_enter_by_itself),
        cmocka_unit_test(test_a_kill_for_want_of_memory_is_no_verdict),
        cmocka_unit_test(test_the_budget_comes_before_the_slot),
        cmocka_unit_test(test_the_dead_have_their_slots_swept),
        cmocka_unit_test(test_nothing_is_left_of_a_zygote),
    };

    return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
