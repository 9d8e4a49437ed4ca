/* Where a precompiled header may stand for the beginning of a source. */
#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/hint.h"
#include "runner/build/precompiled.h"
#include "runner/build/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Headers of ours: stdio.h and c++/v1/vector. */
static char folder[] = "/tmp/bout-precompiled-XXXXXX";

static int make_folder(void **state)
{
    struct err err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    auto_free char *cxx = mem_format("%s/c++/v1", folder);
    auto_free char *stdio = mem_format("%s/stdio.h", folder);
    auto_free char *vector = mem_format("%s/c++/v1/vector", folder);
    assert_int_equal(io_make_folders(cxx, 0755, &err), 0);
    assert_int_equal(io_write_file(stdio, "", 0, 0644, &err), 0);
    assert_int_equal(io_write_file(vector, "", 0, 0644, &err), 0);
    return 0;
}

static int remove_folder(void **state)
{
    struct err err = {0};

    (void)state;
    return io_remove_tree(folder, &err);
}

/* What stands for the beginning of `text`, beside a file `other`. */
static const char *find(const char *text, const char *other)
{
    const struct toolchain toolchain = {.headers = folder};
    struct build_source source = {0};
    struct err err = {0};

    assert_int_equal(
        build_source_add(&source, "a.cpp", text, strlen(text), &err), 0);
    assert_int_equal(build_source_add(&source, other, "", 0, &err), 0);
    const struct build_file *file = strcmp(source.file[0].path, "a.cpp") == 0
                                        ? &source.file[0]
                                        : &source.file[1];
    const char *found = precompiled_find(&toolchain, &source, file);
    build_source_release(&source);
    return found;
}

static void test_a_first_include_of_a_kept_header_is_replaced(void **state)
{
    (void)state;
    assert_string_equal(find("#include <bits/stdc++.h>\n", "z.h"),
                        ".bout/pch/stdc++.pch");
    assert_string_equal(find("#include<iostream>", "z.h"),
                        ".bout/pch/iostream.pch");
    assert_string_equal(find("// bot\n/* 1 */ # include\t<vector>\n", "z.h"),
                        ".bout/pch/vector.pch");
    assert_string_equal(find("#pragma GCC optimize(\"O3\")\n"
                             "#pragma GCC target(\"avx2\")\n"
                             "#include <algorithm>\n",
                             "z.h"),
                        ".bout/pch/algorithm.pch");
}

static void test_anything_before_it_forbids_that(void **state)
{
    static const char *const texts[] = {
        "",
        "int x;\n#include <vector>\n",
        "#define int long long\n#include <vector>\n",
        "#pragma pack(1)\n#include <vector>\n",
        "#include \"vector\"\n",
        "#include <stdio.h>\n#include <vector>\n",
        "#include <vector.h>\n",
        "#include <vector",
        "#include_next <vector>\n",
        "/* #include <vector>\n",
        "//\\\n#include <vector>\n",
        "\xef\xbb\xbf#include <vector>\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_null(find(texts[i], "z.h"));
}

static void test_an_upload_that_hides_a_header_forbids_it_too(void **state)
{
    (void)state;
    assert_null(find("#include <iostream>\n", "vector"));
    assert_null(find("#include <iostream>\n", "stdio.h"));
    assert_non_null(find("#include <iostream>\n", "mine/stdio.h"));
}

static void test_a_name_between_quotes_gets_its_advice(void **state)
{
    static const char fork_text[] = "call to undeclared function 'fork'; more";
    static const char thread_text[] =
        "no member named 'thread' in namespace 'std'";
    static const char second[] = "no 'x' but '_mm_add_ps' here";
    static const char none[] = "use of undeclared identifier 'threads'";
    static const char open[] = "it's fork";

    (void)state;
    assert_non_null(strstr(hint_find(fork_text, sizeof fork_text - 1), "turn"));
    assert_non_null(
        strstr(hint_find(thread_text, sizeof thread_text - 1), "one thread"));
    assert_non_null(strstr(hint_find(second, sizeof second - 1), "vector"));
    assert_null(hint_find(none, sizeof none - 1));
    assert_null(hint_find(open, sizeof open - 1));
    assert_null(hint_find("", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_first_include_of_a_kept_header_is_replaced),
        cmocka_unit_test(test_anything_before_it_forbids_that),
        cmocka_unit_test(test_an_upload_that_hides_a_header_forbids_it_too),
        cmocka_unit_test(test_a_name_between_quotes_gets_its_advice),
    };

    alarm(60);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
