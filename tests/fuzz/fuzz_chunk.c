/* A stored profile chunk and its packing; what can be read is stored alike. */
#include "tests/fuzz/fuzz.h"

#include "db/pack.h"
#include "db/profiles.h"

#define PLAIN_MOST ((size_t)1 << 20)

static void check_chunk(const void *bytes, size_t size)
{
    struct profile_chunk chunk = {0};
    struct profile_chunk again = {0};
    auto_buf struct buf stored = {0};
    struct err err = {0};

    if (profile_chunk_parse(bytes, size, &chunk, &err) < 0) {
        assert(err.kind == ERR_SYSTEM || err.kind == ERR_TOO_BIG);
        return;
    }
    assert(chunk.turns <= PROFILE_CHUNK_TURNS);
    profile_chunk_format(&chunk, &stored);
    assert(profile_chunk_parse(stored.data, stored.size, &again, &err) == 0);
    assert(again.turns == chunk.turns && again.counters == chunk.counters);
    if (chunk.count && again.count)
        assert(!memcmp(chunk.count, again.count,
                       sizeof(uint64_t) * chunk.turns * chunk.counters));
    for (uint32_t turn = 0; turn < chunk.turns; turn++)
        assert(chunk.blocks[turn].size == again.blocks[turn].size);
    profile_chunk_release(&chunk);
    profile_chunk_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    auto_buf struct buf packed = {0};
    auto_buf struct buf plain = {0};
    struct err err = {0};

    check_chunk(data, size);
    if (pack_open(data, size, PLAIN_MOST, &plain, &err) == 0)
        assert(plain.size <= PLAIN_MOST);
    buf_clear(&plain);
    pack_add(&packed, data, size);
    check_chunk(packed.data, packed.size);
    assert(pack_open(packed.data, packed.size, size, &plain, &err) == 0);
    assert(plain.size == size && (!size || !memcmp(plain.data, data, size)));
    return 0;
}
