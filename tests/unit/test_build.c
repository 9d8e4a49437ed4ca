/* Whole builds by the real toolchain: needs bout-meter and the metered library
 * beside the test's folder, as `make tests` has them. */
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/build.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char hello[] = "#include <stdio.h>\n"
                            "int main(void)\n"
                            "{\n"
                            "    int seen = getchar();\n"
                            "    printf(\"%d\\n\", seen);\n"
                            "    return 0;\n"
                            "}\n";

struct file {
    const char *path;
    const char *text;
};

/* Never NULL: an error of ours fails the test. */
static struct build *make(const struct file *file, size_t count)
{
    struct build_source source = {0};
    struct err err = {0};

    for (size_t i = 0; i < count; i++) {
        if (build_source_add(&source, file[i].path, file[i].text,
                             strlen(file[i].text), &err) < 0)
            fail_msg("%s", err.msg);
    }
    struct build *build = build_make(&source, NULL, &err);
    build_source_release(&source);
    if (!build)
        fail_msg("%s", err.msg);
    return build;
}

static struct build *make_one(const char *path, const char *text)
{
    return make(&(struct file){path, text}, 1);
}

static void assert_ready(const struct build *build)
{
    if (!build->ready) {
        auto_free char *text = json_dumps(build->diagnostics, 0);
        fail_msg("rejected: %s", text);
    }
}

/* The first diagnostic of severity error. */
static const json_t *error_of(const struct build *build)
{
    json_t *entry;
    size_t i;

    assert_false(build->ready);
    json_array_foreach(build->diagnostics, i, entry) {
        const char *severity =
            json_string_value(json_object_get(entry, "severity"));
        if (!strcmp(severity, "error"))
            return entry;
    }
    fail_msg("rejected without an error");
    return NULL;
}

static void assert_rejected(const char *text, const char *file, int line,
                            const char *part)
{
    struct build *build = make_one("bot.c", text);
    const json_t *entry = error_of(build);
    const char *message = json_string_value(json_object_get(entry, "message"));

    assert_string_equal(json_string_value(json_object_get(entry, "file")),
                        file);
    assert_int_equal(json_integer_value(json_object_get(entry, "line")), line);
    if (!strstr(message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, message);
    build_free(build);
}

static void test_a_build_has_all_its_parts(void **state)
{
    struct build *build = make_one("hello.c", hello);

    (void)state;
    assert_ready(build);
    assert_int_equal(strspn(build->hash, "0123456789abcdef"), 64);
    assert_int_equal(strspn(build->fingerprint, "0123456789abcdef"), 64);
    assert_memory_equal(build->elf, "\177ELF", 4);
    assert_true(build->module_size > 0);
    assert_true(build->counters_count > 0);
    assert_true(json_is_array(json_object_get(build->blocks, "functions")));
    assert_int_equal(build->source.count, 1);
    build_free(build);
}

static void test_equal_code_has_one_hash(void **state)
{
    static const char other[] = "/* Another text of the same program. */\n"
                                "#include <stdio.h>\n\n\n"
                                "int main(void) {\n"
                                "\tint input = getchar(); // read\n"
                                "\tprintf(\"%d\\n\", input);\n\treturn 0; }\n";
    struct build *first = make_one("hello.c", hello);
    struct build *second = make_one("hello.c", other);
    struct build *renamed = make_one("folder/name.c", hello);

    (void)state;
    assert_string_equal(first->hash, second->hash);
    assert_string_equal(first->hash, renamed->hash);
    build_free(first);
    build_free(second);
    build_free(renamed);
}

static void test_the_order_of_the_files_does_not_matter(void **state)
{
    static const struct file files[] = {
        {"main.c", "#include \"part.h\"\nint main(void){return part(1);}\n"},
        {"part.c", "#include <part.h>\nint part(int x){return x + 1;}\n"},
        {"part.h", "int part(int);\n"},
    };
    const struct file reversed[] = {files[2], files[1], files[0]};
    struct build *first = make(files, 3);
    struct build *second = make(reversed, 3);

    (void)state;
    assert_ready(first);
    assert_string_equal(first->hash, second->hash);
    build_free(first);
    build_free(second);
}

static void test_other_code_has_another_hash(void **state)
{
    struct build *first = make_one("a.c", "int main(void){return 1;}");
    struct build *second = make_one("a.c", "int main(void){return 2;}");

    (void)state;
    assert_ready(first);
    assert_string_not_equal(first->hash, second->hash);
    build_free(first);
    build_free(second);
}

static void test_faults_are_named_by_file_and_line(void **state)
{
    (void)state;
    assert_rejected("int main(void)\n{ return x; }\n", "bot.c", 2, "'x'");
    assert_rejected("int f(void){}\nint main(void){return f();}", "bot.c", 1,
                    "return");
    assert_rejected("int main(void){__asm__(\"nop\");return 0;}", "bot.c", 1,
                    "assembly");
    assert_rejected("", "", 0, "main");
    assert_rejected("#include <pthread.h>\nint main(void){return 0;}", "bot.c",
                    1, "thread");
}

static void test_nothing_outside_is_seen(void **state)
{
    (void)state;
    assert_rejected("#include \"/etc/passwd\"\nint main(void){return 0;}",
                    "bot.c", 1, "'/etc/passwd' file not found");
    assert_rejected("const char a[] = {\n#embed \"/etc/passwd\"\n};\n"
                    "int main(void){return a[0];}",
                    "bot.c", 2, "not found");
    assert_rejected("#include \"../../../../../etc/passwd\"\n", "bot.c", 1,
                    "not found");
    assert_rejected("#if __has_include(\"/usr/lib/os-release\") || "
                    "__has_include(\"/etc/ld.so.cache\")\n#error \"seen\"\n"
                    "#else\n#error \"hidden\"\n#endif\n",
                    "bot.c", 4, "hidden");
}

static void test_data_of_the_upload_can_be_embedded(void **state)
{
    static const struct file files[] = {
        {"bot.c", "const char data[] = {\n#embed \"data/table.bin\"\n};\n"
                  "int main(void){return data[0];}\n"},
        {"data/table.bin", "abc"},
    };
    struct build *build = make(files, 2);

    (void)state;
    assert_ready(build);
    assert_int_equal(json_array_size(build->diagnostics), 0);
    build_free(build);
}

static void test_warnings_of_a_good_build_are_kept(void **state)
{
    struct build *build =
        make_one("bot.c", "int main(void){int x;3;return 0;}");

    (void)state;
    assert_ready(build);
    assert_int_equal(json_array_size(build->diagnostics), 1);
    build_free(build);
}

static void test_a_crash_of_clang_is_a_rejection(void **state)
{
    (void)state;
    assert_rejected("#pragma clang __debug crash\nint main(void){return 0;}",
                    "bot.c", 0, "clang itself failed");
}

static void test_memory_is_limited_and_said_so(void **state)
{
    auto_buf struct buf text = {0};

    (void)state;
    buf_add_str(&text, "#define A 1,1,1,1,1,1,1,1,1,1,\n");
    for (int c = 'B'; c < 'I'; c++)
        buf_add_format(&text, "#define %c %c %c %c %c %c %c %c %c %c %c\n", c,
                       c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1,
                       c - 1, c - 1);
    buf_add_str(&text, "int a[] = {H};\nint main(void){return a[0];}\n");
    assert_rejected(text.data, "bot.c", 0, "1024 MiB");
}

static void test_a_saved_build_comes_back_the_same(void **state)
{
    const char *folder = *state;
    auto_free char *path = mem_format("%s/a.bot", folder);
    auto_free char *again = mem_format("%s/b.bot", folder);
    auto_buf struct buf first = {0};
    auto_buf struct buf second = {0};
    struct build *build = make_one("hello.c", hello);
    struct err err = {0};

    assert_int_equal(build_save(build, path, &err), 0);
    struct build *opened = build_open_or_make(path, &err);
    if (!opened)
        fail_msg("%s", err.msg);
    assert_string_equal(opened->hash, build->hash);
    assert_int_equal(opened->elf_size, build->elf_size);
    assert_memory_equal(opened->elf, build->elf, build->elf_size);
    assert_true(json_equal(opened->blocks, build->blocks));
    assert_int_equal(opened->data_bytes, build->data_bytes);
    assert_string_equal(opened->source.file[0].path, "hello.c");
    assert_true(build_elf_fd(opened, &err) >= 0);
    opened->target[0] = 'X';
    assert_int_equal(build_elf_fd(opened, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    opened->target[0] = build->target[0];

    assert_int_equal(build_save(opened, again, &err), 0);
    assert_int_equal(io_read_file(path, 1u << 30, &first, &err), 0);
    assert_int_equal(io_read_file(again, 1u << 30, &second, &err), 0);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    build_free(build);
    build_free(opened);
}

static void test_a_damaged_file_is_no_build(void **state)
{
    const char *folder = *state;
    auto_free char *path = mem_format("%s/c.bot", folder);
    auto_free char *cut = mem_format("%s/cut.bot", folder);
    auto_buf struct buf bytes = {0};
    struct build *build = make_one("hello.c", hello);
    struct err err = {0};

    assert_int_equal(build_save(build, path, &err), 0);
    assert_int_equal(io_read_file(path, 1u << 30, &bytes, &err), 0);
    /* A tar ends in up to 11 KiB of zeros, which nobody misses. */
    for (size_t size = 0; size < bytes.size - 11264; size += bytes.size / 23) {
        assert_int_equal(io_write_file(cut, bytes.data, size, 0644, &err), 0);
        assert_null(build_open(cut, &err));
        assert_int_equal(err.kind, ERR_INPUT);
    }
    build_free(build);
}

/* Changes one byte after the n-th place where `text` stands. */
static void change_after(struct buf *bytes, const char *text, size_t skip)
{
    char *at = memmem(bytes->data, bytes->size, text, strlen(text));

    assert_non_null(at);
    at[skip] ^= 1;
}

static void test_a_changed_member_is_named(void **state)
{
    /* A tar's member begins 512 bytes after its name. */
    static const struct {
        const char *find;
        size_t skip;
        const char *said;
    } cases[] = {
        {"bot.x86_64", 512 + 4096, "bot.x86_64 was changed"},
        {"module.bc", 512 + 40, "module.bc was changed"},
        {"source/hello.c", 512 + 30, "source/hello.c was changed"},
        {"layout.json", 512 + 10, "layout.json was changed"},
    };
    const char *folder = *state;
    auto_free char *path = mem_format("%s/changed.bot", folder);
    struct build *build = make_one("hello.c", hello);
    struct err err = {0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        auto_buf struct buf bytes = {0};
        assert_int_equal(build_save(build, path, &err), 0);
        assert_int_equal(io_read_file(path, 1u << 30, &bytes, &err), 0);
        /* The manifest names the members too: look behind it. */
        struct buf rest = {.data = bytes.data + 1536,
                           .size = bytes.size - 1536};
        change_after(&rest, cases[i].find, cases[i].skip);
        assert_int_equal(
            io_write_file(path, bytes.data, bytes.size, 0644, &err), 0);
        assert_null(build_open(path, &err));
        assert_int_equal(err.kind, ERR_INPUT);
        if (!strstr(err.msg, cases[i].said))
            fail_msg("%s", err.msg);
    }
    build_free(build);
}

static void test_a_build_of_another_place_is_not_kept(void **state)
{
    auto_free char *path = mem_format("%s/far.bot", (const char *)*state);
    auto_free char *cache = mem_format("%s/far", (const char *)*state);
    struct build *build = make_one("hello.c", hello);
    struct err err = {0};

    setenv("BOUT_CACHE", cache, 1);
    assert_int_equal(build_save(build, path, &err), 0);
    struct build *opened = build_open(path, &err);
    assert_non_null(opened);
    assert_int_equal(build_cache_put(opened, &err), 0);
    assert_null(build_cache_get(build->hash, &err));
    assert_int_equal(err.kind, ERR_MISSING);

    /* Put there by hand under another name it is not believed either. */
    assert_int_equal(build_cache_put(build, &err), 0);
    auto_free char *from = mem_format("%s/builds/%s.bot", cache, build->hash);
    build->hash[0] = build->hash[0] == '0' ? '1' : '0';
    auto_free char *to = mem_format("%s/builds/%s.bot", cache, build->hash);
    assert_int_equal(rename(from, to), 0);
    assert_null(build_cache_get(build->hash, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    build_free(opened);
    build_free(build);
}

static void test_the_cache_finds_a_build_by_its_hash(void **state)
{
    struct build *build = make_one("hello.c", hello);
    struct err err = {0};

    setenv("BOUT_CACHE", *state, 1);
    assert_null(build_cache_get(build->hash, &err));
    assert_int_equal(err.kind, ERR_MISSING);
    assert_int_equal(build_cache_put(build, &err), 0);
    struct build *found = build_cache_get(build->hash, &err);
    assert_non_null(found);
    assert_string_equal(found->hash, build->hash);
    build_free(found);
    build_free(build);
}

static void *make_in_a_thread(void *hash)
{
    struct build *build = make_one("hello.c", hello);

    memcpy(hash, build->hash, HASH_HEX_SIZE);
    build_free(build);
    return NULL;
}

static void test_threads_build_beside_each_other(void **state)
{
    pthread_t thread[3];
    char hash[3][HASH_HEX_SIZE];

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            pthread_create(&thread[i], NULL, make_in_a_thread, hash[i]), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_string_equal(hash[0], hash[1]);
    assert_string_equal(hash[0], hash[2]);
}

static void test_a_missing_library_says_what_to_do(void **state)
{
    struct build_source source = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(
        build_source_add(&source, "a.c", hello, strlen(hello), &err), 0);
    setenv("BOUT_LIBRARY", "/nowhere", 1);
    assert_null(build_make(&source, NULL, &err));
    unsetenv("BOUT_LIBRARY");
    assert_int_equal(err.kind, ERR_SYSTEM);
    assert_string_equal(err.msg, "BOUT_LIBRARY=/nowhere: no such file");
    assert_null(build_make(&source, "z80", &err));
    assert_int_equal(err.kind, ERR_INPUT);
    build_source_release(&source);
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
        cmocka_unit_test(test_a_build_has_all_its_parts),
        cmocka_unit_test(test_equal_code_has_one_hash),
        cmocka_unit_test(test_the_order_of_the_files_does_not_matter),
        cmocka_unit_test(test_other_code_has_another_hash),
        cmocka_unit_test(test_faults_are_named_by_file_and_line),
        cmocka_unit_test(test_nothing_outside_is_seen),
        cmocka_unit_test(test_data_of_the_upload_can_be_embedded),
        cmocka_unit_test(test_warnings_of_a_good_build_are_kept),
        cmocka_unit_test(test_a_crash_of_clang_is_a_rejection),
        cmocka_unit_test(test_memory_is_limited_and_said_so),
        cmocka_unit_test(test_a_saved_build_comes_back_the_same),
        cmocka_unit_test(test_a_damaged_file_is_no_build),
        cmocka_unit_test(test_a_changed_member_is_named),
        cmocka_unit_test(test_a_build_of_another_place_is_not_kept),
        cmocka_unit_test(test_the_cache_finds_a_build_by_its_hash),
        cmocka_unit_test(test_threads_build_beside_each_other),
        cmocka_unit_test(test_a_missing_library_says_what_to_do),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
