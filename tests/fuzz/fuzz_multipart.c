/* A form: the first line is its Content-Type, the rest its body. */
#include "tests/fuzz/fuzz.h"

#include "api/http/multipart.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    auto_free char *type = fuzz_line(&data, &size);
    /* Of just that size, so that a byte behind it is found. */
    auto_free char *body = mem_alloc(size ? size : 1);
    auto_multipart struct multipart form = {0};
    struct err err = {0};

    memcpy(body, data, size);
    if (multipart_parse(&form, type, body, size, &err) < 0) {
        assert(err.kind == ERR_INPUT || err.kind == ERR_TOO_BIG);
        return 0;
    }
    assert(form.count <= MULTIPART_MAX_PARTS);
    for (size_t i = 0; i < form.count; i++) {
        const struct multipart_part *part = &form.part[i];
        assert(part->bytes >= body && part->size <= size &&
               part->bytes + part->size <= body + size);
        assert(strlen(part->name) <= MULTIPART_MAX_NAME);
        assert(multipart_find(&form, part->name));
    }
    return 0;
}
