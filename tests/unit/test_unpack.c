/* Archives of strangers (cases 59 and 60): what is odd is refused with a
 * sentence, what is fine comes out the same from every form. */
#include "runner/build/unpack.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/build/source.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- making them --------------------------------------------------------- */

struct entry {
    const char *path;
    unsigned type;    /* 0: a regular file */
    const char *link; /* of a symbolic link; of a file: a hard link */
    const char *text; /* NULL: "int x;" */
    size_t size;      /* 0: of the text; else so many of its first byte */
    bool sparse;
};

enum form { TAR, TAR_GZ, TAR_ZST, PAX, GNU, ZIP, ZIP_SECRET, FORM_COUNT };

static const char *const form_name[FORM_COUNT] = {
    "a.tar", "a.tar.gz", "a.tar.zst", "a.tar", "a.tar", "a.zip", "a.zip",
};

static la_ssize_t add_bytes(struct archive *archive, void *to,
                            const void *bytes, size_t size)
{
    (void)archive;
    buf_add(to, bytes, size);
    return (la_ssize_t)size;
}

static struct archive *pack_open(enum form form, struct buf *to)
{
    struct archive *archive = archive_write_new();

    if (form == TAR_GZ)
        archive_write_add_filter_gzip(archive);
    if (form == TAR_ZST)
        archive_write_add_filter_zstd(archive);
    if (form >= ZIP)
        archive_write_set_format_zip(archive);
    else if (form == PAX)
        archive_write_set_format_pax(archive);
    else
        archive_write_set_format_gnutar(archive);
    if (form == ZIP_SECRET) {
        archive_write_set_options(archive, "zip:encryption=traditional");
        archive_write_set_passphrase(archive, "secret");
    }
    /* A tape's padding would be a second zstd frame, and a broken one. */
    archive_write_set_bytes_in_last_block(archive, 1);
    assert_int_equal(archive_write_open(archive, to, NULL, add_bytes, NULL),
                     ARCHIVE_OK);
    return archive;
}

static void pack_entry(struct archive *archive, const struct entry *what)
{
    const char *text = what->text ? what->text : "int x;";
    struct archive_entry *entry = archive_entry_new();
    bool is_file = !what->type && !what->link;
    size_t size = what->size ? what->size : strlen(text);

    archive_entry_set_pathname(entry, what->path);
    archive_entry_set_filetype(entry, what->type ? what->type : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, is_file ? (la_int64_t)size : 0);
    if (what->link && what->type)
        archive_entry_set_symlink(entry, what->link);
    else if (what->link)
        archive_entry_set_hardlink(entry, what->link);
    if (what->sparse)
        archive_entry_sparse_add_entry(entry, 4096, (la_int64_t)size - 4096);
    assert_true(archive_write_header(archive, entry) >= ARCHIVE_WARN);
    archive_entry_free(entry);
    if (!is_file)
        return;
    auto_free char *fill = mem_alloc(size);
    if (what->size)
        memset(fill, text[0], size);
    else
        memcpy(fill, text, size); // NOLINT: bytes, not a string
    assert_int_equal(archive_write_data(archive, fill, size), size);
}

static void pack(enum form form, const struct entry *entry, size_t count,
                 struct buf *to)
{
    struct archive *archive = pack_open(form, to);

    for (size_t i = 0; i < count; i++)
        pack_entry(archive, &entry[i]);
    assert_int_equal(archive_write_free(archive), ARCHIVE_OK);
}

/* ---- reading them -------------------------------------------------------- */

static void assert_refused(const char *name, const struct buf *bytes,
                           const char *said)
{
    struct build_source source = {0};
    struct err err = {0};

    if (unpack_archive(&source, name, bytes->data ? bytes->data : "",
                       bytes->size, &err) == 0)
        fail_msg("%s, %s: taken, not refused with: %s", name,
                 source.file[0].path, said);
    if (!strstr(err.msg, said))
        fail_msg("wanted: %s\n   got: %s", said, err.msg);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(strncmp(err.msg, name, strlen(name)), 0);
    assert_int_equal(source.count, 0);
}

static void assert_entry_refused(enum form form, const struct entry *entry,
                                 size_t count, const char *said)
{
    auto_buf struct buf bytes = {0};

    pack(form, entry, count, &bytes);
    assert_refused(form_name[form], &bytes, said);
}

static void test_every_form_gives_the_same_files(void **state)
{
    static const struct entry entries[] = {
        {.path = "bot", .type = AE_IFDIR},
        {.path = "bot/main.c", .text = "int main;"},
        {.path = "bot/lib/\xc3\xa4.h"},
        {.path = "bot/empty.h", .text = ""},
        /* Left behind by systems and tools. */
        {.path = "__MACOSX/bot/._main.c"},
        {.path = "bot/.DS_Store"},
        {.path = "bot/.git/config"},
        {.path = "bot/.vscode/c.json"},
        {.path = "bot/Thumbs.db"},
        {.path = "bot/build/main.o"},
        {.path = "bot/cmake-build-debug/x.c"},
        {.path = "bot/x64/Debug/x.c"},
    };

    (void)state;
    for (enum form form = 0; form < ZIP_SECRET; form++) {
        auto_buf struct buf bytes = {0};
        struct build_source source = {0};
        struct err err = {0};

        pack(form, entries, sizeof entries / sizeof *entries, &bytes);
        if (unpack_archive(&source, form_name[form], bytes.data, bytes.size,
                           &err) < 0)
            fail_msg("%s", err.msg);
        assert_int_equal(source.count, 3);
        assert_string_equal(source.file[0].path, "empty.h");
        assert_int_equal(source.file[0].size, 0);
        assert_string_equal(source.file[1].path, "lib/\xc3\xa4.h");
        assert_string_equal(source.file[2].path, "main.c");
        assert_memory_equal(source.file[2].bytes, "int main;", 9);
        build_source_release(&source);
    }
}

static void test_one_folder_around_everything_is_taken_off(void **state)
{
    static const struct {
        const char *path[2];
        const char *first;
    } cases[] = {
        {{"a/b/c.c", "a/b/d.c"}, "b/c.c"}, {{"a/c.c", "b/d.c"}, "a/c.c"},
        {{"./a/c.c", "./a/d.c"}, "c.c"},   {{"a/c.c", "d.c"}, "a/c.c"},
        {{"./c.c", "./d.c"}, "c.c"},       {{"build/c.c", "build/d.c"}, "c.c"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct entry entries[] = {{.path = cases[i].path[0]},
                                        {.path = cases[i].path[1]}};
        auto_buf struct buf bytes = {0};
        struct build_source source = {0};
        struct err err = {0};

        pack(TAR, entries, 2, &bytes);
        if (unpack_archive(&source, "a.tar", bytes.data, bytes.size, &err) < 0)
            fail_msg("%s", err.msg);
        assert_int_equal(source.count, 2);
        assert_string_equal(source.file[0].path, cases[i].first);
        build_source_release(&source);
    }
}

static void test_what_escapes_or_is_no_file_is_refused(void **state)
{
    static const struct {
        struct entry entry;
        const char *said;
        bool not_in_zip;
    } cases[] = {
        {{.path = "../x.c"}, "must be relative", false},
        {{.path = "a/../../x.c"}, "must be relative", false},
        {{.path = "a/./x.c"}, "must be relative", false},
        {{.path = "/etc/x.c"}, "must be relative", false},
        {{.path = "a//x.c"}, "must be relative", false},
        {{.path = "a\\..\\x.c"}, "\\", true},
        {{.path = "a\nb.c"}, "control character", false},
        {{.path = "a\x7f.c"}, "control character", false},
        {{.path = "\x1b[2J.c"}, "control character", false},
        {{.path = "a\xff.c"}, "UTF-8", true},
        {{.path = ".bout/x.h", .type = 0}, "holds no files", false},
        {{.path = "d", .type = AE_IFLNK, .link = "/etc"},
         "symbolic link",
         false},
        {{.path = "d.c", .link = "/etc/passwd"}, "hard link", true},
        {{.path = "d.c", .type = AE_IFCHR}, "device", true},
        {{.path = "d.c", .type = AE_IFBLK}, "device", true},
        {{.path = "d.c", .type = AE_IFIFO}, "pipe", true},
        {{.path = "in/other.zip"}, "inside the archive", false},
        {{.path = "other.tar.GZ"}, "inside the archive", false},
        {{.path = "bomb.c", .size = 9u << 20}, "8 MiB", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_entry_refused(TAR_GZ, &cases[i].entry, 1, cases[i].said);
        if (!cases[i].not_in_zip)
            assert_entry_refused(ZIP, &cases[i].entry, 1, cases[i].said);
    }
}

static void test_files_that_stand_in_each_others_way_are_refused(void **state)
{
    static const struct {
        struct entry entry[2];
        const char *said;
    } cases[] = {
        {{{.path = "a.c"}, {.path = "a.c"}}, "given twice"},
        {{{.path = "a.c"}, {.path = "./a.c"}}, "given twice"},
        {{{.path = "Board.h"}, {.path = "board.h"}}, "differ in case only"},
        {{{.path = "a"}, {.path = "a/b.c"}}, "a file and a folder"},
        /* Case 60: the link first, then a file through it. */
        {{{.path = "d", .type = AE_IFLNK, .link = "/var/tmp"},
          {.path = "d/f.c"}},
         "symbolic link"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int zip = 0; zip < 2; zip++)
            assert_entry_refused(zip ? ZIP : TAR, cases[i].entry, 2,
                                 cases[i].said);
}

static void test_odd_archives_are_refused(void **state)
{
    static const struct entry sparse = {
        .path = "s.c", .size = 1u << 20, .sparse = true};
    static const struct entry plain = {.path = "a.c"};
    static const struct entry folder = {.path = "a", .type = AE_IFDIR};
    auto_free char *deep = mem_alloc(300);
    struct entry long_name = {.path = deep};
    struct buf nothing = {0};
    auto_buf struct buf text = {0};

    (void)state;
    assert_entry_refused(PAX, &sparse, 1, "sparse");
    assert_entry_refused(ZIP_SECRET, &plain, 1, "encrypted");
    assert_entry_refused(TAR, &folder, 1, "holds no files");
    assert_entry_refused(TAR, &folder, 0, "holds no files");
    memset(deep, 'x', 299);
    deep[299] = '\0';
    assert_entry_refused(TAR, &long_name, 1, "240 bytes");
    assert_entry_refused(ZIP, &long_name, 1, "240 bytes");
    assert_refused("a.zip", &nothing, "no zip or tar");
    buf_add_str(&text, "int main(void) { return 0; }\n");
    assert_refused("a.zip", &text, "no zip or tar");
}

static void test_too_many_entries_are_refused(void **state)
{
    static const struct {
        unsigned count;
        bool folders;
        const char *said;
    } cases[] = {
        {1001, false, "more than 1000 files"},
        {20001, true, "more than 20000 entries"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        auto_buf struct buf bytes = {0};
        struct archive *archive = pack_open(TAR_GZ, &bytes);
        for (unsigned n = 0; n < cases[i].count; n++) {
            char name[16];
            snprintf(name, sizeof name, "f%u.c", n);
            const struct entry entry = {
                .path = name, .type = cases[i].folders ? AE_IFDIR : 0};
            pack_entry(archive, &entry);
        }
        assert_int_equal(archive_write_free(archive), ARCHIVE_OK);
        assert_refused("a.tar.gz", &bytes, cases[i].said);
    }
}

/* A thousand bytes in one, and gzip in gzip. */
static void test_bombs_are_refused_in_time(void **state)
{
    static const struct entry skipped = {.path = ".git/pack", .size = 1u << 28};
    static const struct entry plain = {.path = "a.c"};
    auto_buf struct buf bomb = {0};
    auto_buf struct buf inner = {0};
    auto_buf struct buf outer = {0};

    (void)state;
    pack(TAR_GZ, &skipped, 1, &bomb);
    assert_true(bomb.size < 8u << 20);
    struct build_source source = {0};
    struct err err = {0};
    assert_int_equal(
        unpack_archive(&source, "a.tar.gz", bomb.data, bomb.size, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);

    pack(TAR_GZ, &plain, 1, &inner);
    struct archive *again = archive_write_new();
    archive_write_add_filter_gzip(again);
    archive_write_set_format_raw(again);
    archive_write_open(again, &outer, NULL, add_bytes, NULL);
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_pathname(entry, "x");
    archive_write_header(again, entry);
    archive_write_data(again, inner.data, inner.size);
    archive_entry_free(entry);
    archive_write_free(again);
    assert_refused("a.tar.gz", &outer, "compressed more than once");
}

/* A name ends at its NUL, and what is before it is checked like any. */
static void test_a_name_with_nul_hides_nothing(void **state)
{
    static const struct entry entries[] = {{.path = "a.c"}, {.path = "a.cX.h"}};
    auto_buf struct buf bytes = {0};

    (void)state;
    pack(ZIP, entries, 2, &bytes);
    for (char *at = bytes.data;
         (at = memmem(at, (size_t)(bytes.data + bytes.size - at), "a.cX.h",
                      6)) != NULL;)
        at[3] = '\0';
    assert_refused("a.zip", &bytes, "given twice");
}

static void test_damage_is_refused_or_harmless(void **state)
{
    static const struct entry entries[] = {{.path = "bot/a.c"},
                                           {.path = "bot/b/c.h"}};

    (void)state;
    for (enum form form = 0; form < ZIP_SECRET; form++) {
        auto_buf struct buf bytes = {0};
        pack(form, entries, 2, &bytes);
        for (size_t i = 0; i < 24; i++) {
            auto_buf struct buf bent = {0};
            struct build_source source = {0};
            struct err err = {0};

            buf_add(&bent, bytes.data, bytes.size);
            if (i % 2)
                bent.size = bytes.size * i / 24;
            else
                bent.data[(bytes.size * i / 24 + i) % bytes.size] ^= 0x5a;
            if (unpack_archive(&source, "a.tar", bent.data, bent.size, &err) <
                0)
                assert_int_equal(err.kind, ERR_INPUT);
            else
                assert_true(source.count > 0);
            build_source_release(&source);
        }
    }
}

static void test_only_a_lone_archive_is_unpacked(void **state)
{
    static const struct entry plain = {.path = "x/a.c"};
    auto_buf struct buf bytes = {0};
    struct build_source source = {0};
    struct err err = {0};

    (void)state;
    pack(ZIP, &plain, 1, &bytes);
    build_source_add(&source, "bot.zip", bytes.data, bytes.size, &err);
    assert_int_equal(unpack_source(&source, &err), 1);
    assert_int_equal(source.count, 1);
    assert_string_equal(source.file[0].path, "a.c");
    assert_int_equal(unpack_source(&source, &err), 0);
    build_source_add(&source, "data.zip", bytes.data, bytes.size, &err);
    assert_int_equal(unpack_source(&source, &err), 0);
    assert_int_equal(source.count, 2);
    build_source_release(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_gives_the_same_files),
        cmocka_unit_test(test_one_folder_around_everything_is_taken_off),
        cmocka_unit_test(test_what_escapes_or_is_no_file_is_refused),
        cmocka_unit_test(test_files_that_stand_in_each_others_way_are_refused),
        cmocka_unit_test(test_odd_archives_are_refused),
        cmocka_unit_test(test_too_many_entries_are_refused),
        cmocka_unit_test(test_bombs_are_refused_in_time),
        cmocka_unit_test(test_a_name_with_nul_hides_nothing),
        cmocka_unit_test(test_damage_is_refused_or_harmless),
        cmocka_unit_test(test_only_a_lone_archive_is_unpacked),
    };

    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
