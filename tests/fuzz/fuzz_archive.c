/* An archive, unpacked in process; what comes out are checked paths. */
#include "tests/fuzz/fuzz.h"

#define main unpack_main
#include "runner/build/unpack/main.c"
#undef main

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct unpack unpack = {0};
    struct err err = {0};

    buf_add(&unpack.bytes, data, size);
    if (read_names(&unpack, &err) < 0 || read_files(&unpack, &err) < 0)
        assert(err.kind == ERR_INPUT || err.kind == ERR_TOO_BIG);
    for (size_t i = 0; i < unpack.source.count; i++) {
        assert(source_check_path(unpack.source.file[i].path, &err) == 0);
        assert(unpack.source.file[i].size <= SOURCE_MAX_BYTES);
    }
    build_source_release(&unpack.source);
    buf_release(&unpack.bytes);
    free(unpack.top);
    return 0;
}
