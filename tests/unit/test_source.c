/* What a submission may consist of, and how it is read from the disk. */
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_refused(const char *path, enum err_kind kind)
{
    struct build_source source = {0};
    struct err err = {0};

    assert_int_equal(build_source_add(&source, path, "x", 1, &err), -1);
    assert_int_equal(err.kind, kind);
    assert_int_equal(source.count, 0);
    assert_non_null(err.msg[0] ? err.msg : NULL);
    build_source_release(&source);
}

static void test_files_are_in_byte_order_of_their_paths(void **state)
{
    static const char *const given[] = {"b.c", "a/z.h", "Z.c", "a.c",
                                        "\xc3\xa4.c"};
    static const char *const sorted[] = {"Z.c", "a.c", "a/z.h", "b.c",
                                         "\xc3\xa4.c"};
    struct build_source source = {0};
    struct err err = {0};

    (void)state;
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(build_source_add(&source, given[i], "", 0, &err), 0);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(source.file[i].path, sorted[i]);
    build_source_release(&source);
}

static void test_odd_paths_are_refused(void **state)
{
    char longest[300];

    (void)state;
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_refused("", ERR_INPUT);
    assert_refused("/etc/passwd", ERR_INPUT);
    assert_refused("../a.c", ERR_INPUT);
    assert_refused("a/../b.c", ERR_INPUT);
    assert_refused("./a.c", ERR_INPUT);
    assert_refused("a//b.c", ERR_INPUT);
    assert_refused("a/", ERR_INPUT);
    assert_refused("a\nb.c", ERR_INPUT);
    assert_refused("a\\b.c", ERR_INPUT);
    assert_refused("\xff.c", ERR_INPUT);
    assert_refused("\xc0\xaf.c", ERR_INPUT);     /* overlong "/" */
    assert_refused("\xed\xa0\x80.c", ERR_INPUT); /* a surrogate */
    assert_refused(".bout/stdio.h", ERR_INPUT);
    assert_refused(".bout-view.yaml", ERR_INPUT);
    assert_refused(longest, ERR_INPUT);
}

static void test_one_name_is_given_once(void **state)
{
    struct build_source source = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(build_source_add(&source, "a/b.c", "", 0, &err), 0);
    assert_int_equal(build_source_add(&source, "a/b.c", "", 0, &err), -1);
    assert_int_equal(build_source_add(&source, "a", "", 0, &err), -1);
    assert_string_equal(err.msg,
                        "a and a/b.c: one name cannot be a file and a folder");
    assert_int_equal(build_source_add(&source, "a/b.c/d", "", 0, &err), -1);
    assert_int_equal(build_source_add(&source, "a/b.cc", "", 0, &err), 0);
    build_source_release(&source);
}

static void test_sizes_and_counts_are_capped(void **state)
{
    struct build_source source = {0};
    struct err err = {0};
    auto_free char *bytes = mem_calloc(SOURCE_MAX_BYTES + 1, 1);

    (void)state;
    assert_int_equal(
        build_source_add(&source, "big", bytes, SOURCE_MAX_BYTES + 1, &err),
        -1);
    assert_int_equal(err.kind, ERR_TOO_BIG);
    assert_int_equal(
        build_source_add(&source, "half", bytes, SOURCE_MAX_BYTES / 2, &err),
        0);
    assert_int_equal(build_source_add(&source, "more", bytes,
                                      SOURCE_MAX_BYTES / 2 + 1, &err),
                     -1);
    assert_int_equal(err.kind, ERR_TOO_BIG);
    for (unsigned i = 1; i < SOURCE_MAX_FILES; i++) {
        auto_free char *path = mem_format("f%u.h", i);
        assert_int_equal(build_source_add(&source, path, "", 0, &err), 0);
    }
    assert_int_equal(build_source_add(&source, "last", "", 0, &err), -1);
    assert_int_equal(err.kind, ERR_TOO_BIG);
    build_source_release(&source);
}

static void put(const char *folder, const char *name, const char *text)
{
    auto_free char *path = mem_format("%s/%s", folder, name);
    struct err err = {0};

    if (io_write_file(path, text, strlen(text), 0644, &err) < 0)
        fail_msg("%s", err.msg);
}

static void make_folder(const char *folder, const char *name)
{
    auto_free char *path = mem_format("%s/%s", folder, name);

    assert_int_equal(mkdir(path, 0755), 0);
}

static int read_path(struct build_source *source, const char *folder,
                     const char *name, struct err *err)
{
    auto_free char *path = mem_format("%s/%s", folder, name);

    return build_source_read(source, &path, 1, err);
}

static void test_a_folder_is_read_without_what_is_hidden(void **state)
{
    const char *folder = *state;
    struct build_source source = {0};
    struct err err = {0};

    make_folder(folder, "bot");
    make_folder(folder, "bot/inner");
    make_folder(folder, "bot/.git");
    put(folder, "bot/main.c", "main");
    put(folder, "bot/inner/part.h", "part");
    put(folder, "bot/.git/config", "no");
    if (read_path(&source, folder, "bot/", &err) < 0)
        fail_msg("%s", err.msg);
    assert_int_equal(source.count, 2);
    assert_string_equal(source.file[0].path, "inner/part.h");
    assert_string_equal(source.file[1].path, "main.c");
    assert_memory_equal(source.file[1].bytes, "main", 4);
    build_source_release(&source);
}

static void test_what_is_no_file_is_refused(void **state)
{
    const char *folder = *state;
    struct build_source source = {0};
    struct err err = {0};
    auto_free char *link = mem_format("%s/links/passwd.c", folder);
    auto_free char *fifo = mem_format("%s/fifo.c", folder);

    make_folder(folder, "links");
    assert_int_equal(symlink("/etc/passwd", link), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(read_path(&source, folder, "links", &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.msg, "symbolic link"));
    assert_int_equal(read_path(&source, folder, "fifo.c", &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(read_path(&source, folder, "nothing.c", &err), -1);
    assert_int_equal(err.kind, ERR_MISSING);
    build_source_release(&source);
}

static void test_a_base_name_is_the_last_part(void **state)
{
    static const char *const pairs[][2] = {
        {"a/b.c", "b.c"},
        {"b.c", "b.c"},
        {"/x/bot/", "bot"},
        {"bot//", "bot"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        auto_free char *name = source_base_name(pairs[i][0]);
        assert_string_equal(name, pairs[i][1]);
    }
}

static int set_up(void **state)
{
    struct err err = {0};

    *state = io_make_temp_folder("bout-test", &err);
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
        cmocka_unit_test(test_files_are_in_byte_order_of_their_paths),
        cmocka_unit_test(test_odd_paths_are_refused),
        cmocka_unit_test(test_one_name_is_given_once),
        cmocka_unit_test(test_sizes_and_counts_are_capped),
        cmocka_unit_test(test_a_folder_is_read_without_what_is_hidden),
        cmocka_unit_test(test_what_is_no_file_is_refused),
        cmocka_unit_test(test_a_base_name_is_the_last_part),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
