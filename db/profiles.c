/* Why this layout: for two slots, 500 turns and 2,000 counters (16 MB plain)
 * chunks of 16 turns, counter-major, take 0.95 MB and 20 ms to write, and one
 * turn is read in 0.1 ms; a row a counter takes 11 MB and a second. A counter's
 * turns beside each other are what makes it small: deltas add 3 % only. */
#include "db/profiles.h"

#include "db/pack.h"
#include "runner/base/cleanup.h"

#define FORM_VERSION 2 /* 1 had no streams */
#define COUNTERS_CAP ((uint64_t)1 << 22)
#define FORM_CAP ((size_t)256 << 20)

void profile_chunk_release(struct profile_chunk *chunk)
{
    free(chunk->count);
    for (size_t i = 0; i < PROFILE_CHUNK_TURNS; i++)
        buf_release(&chunk->blocks[i]);
    *chunk = (struct profile_chunk){0};
}

/* ---- varints: 7 bits a byte, lowest first, the top bit says "more" --------
 */

static void varint_add(struct buf *out, uint64_t value)
{
    while (value >= 0x80) {
        buf_add_char(out, (char)(value | 0x80));
        value >>= 7;
    }
    buf_add_char(out, (char)value);
}

struct reader {
    const unsigned char *at;
    const unsigned char *end;
    bool damaged;
};

/* 0 with `damaged` set at the end of the bytes or over 64 bits. */
static uint64_t varint_read(struct reader *reader)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (reader->at == reader->end)
            break;
        unsigned char byte = *reader->at++;
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    reader->damaged = true;
    return 0;
}

/* ---- the stored form ------------------------------------------------------
 */

void profile_chunk_format(const struct profile_chunk *chunk, struct buf *out)
{
    auto_buf struct buf plain = {0};

    varint_add(&plain, FORM_VERSION);
    varint_add(&plain, chunk->first_turn);
    varint_add(&plain, chunk->turns);
    varint_add(&plain, chunk->counters);
    for (size_t i = 0; i < chunk->counters; i++)
        for (size_t turn = 0; turn < chunk->turns; turn++)
            varint_add(&plain, chunk->count[turn * chunk->counters + i]);
    for (size_t turn = 0; turn < chunk->turns; turn++) {
        varint_add(&plain, chunk->blocks[turn].size);
        buf_add(&plain, chunk->blocks[turn].data, chunk->blocks[turn].size);
    }
    pack_add(out, plain.data, plain.size);
}

/* The streams: what has been read is in the chunk, also where it ends badly. */
static void read_blocks(struct reader *reader, struct profile_chunk *chunk)
{
    for (size_t turn = 0; turn < chunk->turns && !reader->damaged; turn++) {
        uint64_t size = varint_read(reader);

        reader->damaged |= size > (uint64_t)(reader->end - reader->at);
        if (reader->damaged)
            return;
        buf_add(&chunk->blocks[turn], reader->at, size);
        reader->at += size;
    }
}

int profile_chunk_parse(const void *bytes, size_t size,
                        struct profile_chunk *chunk, struct err *err)
{
    auto_buf struct buf plain = {0};

    if (pack_open(bytes, size, FORM_CAP, &plain, err) < 0)
        return -1;
    struct reader reader = {
        .at = (const unsigned char *)plain.data,
        .end = (const unsigned char *)plain.data + plain.size,
    };
    uint64_t version = varint_read(&reader);
    uint64_t first = varint_read(&reader);
    uint64_t turns = varint_read(&reader);
    uint64_t counters = varint_read(&reader);
    /* A count takes a byte at least, so the rest bounds what is asked for. */
    if (reader.damaged || !version || version > FORM_VERSION ||
        first > UINT32_MAX || turns > PROFILE_CHUNK_TURNS ||
        counters > COUNTERS_CAP ||
        turns * counters > (uint64_t)(reader.end - reader.at))
        return err_set(err, ERR_SYSTEM, "profile chunk is damaged");

    auto_free uint64_t *count = mem_calloc(turns * counters, sizeof *count);
    for (size_t i = 0; i < counters; i++)
        for (size_t turn = 0; turn < turns; turn++)
            count[turn * counters + i] = varint_read(&reader);
    struct profile_chunk read = {
        .first_turn = (uint32_t)first,
        .turns = (uint32_t)turns,
        .counters = (uint32_t)counters,
        .count = take_ptr(count),
    };
    if (version > 1)
        read_blocks(&reader, &read);
    if (reader.damaged || reader.at != reader.end) {
        profile_chunk_release(&read);
        return err_set(err, ERR_SYSTEM, "profile chunk is damaged");
    }
    *chunk = read;
    return 0;
}

/* ---- the table ------------------------------------------------------------
 */

int profile_chunk_put(struct db *db, int64_t match_id, unsigned slot,
                      const struct profile_chunk *chunk, struct err *err)
{
    auto_buf struct buf packed = {0};

    profile_chunk_format(chunk, &packed);
    return db_run(db, Q_PROFILE_PUT, err, SQL_I64(match_id), SQL_I64(slot),
                  SQL_I64(chunk->first_turn / PROFILE_CHUNK_TURNS),
                  SQL_BLOB(packed.data, packed.size));
}

int profile_chunk_find(struct db *db, int64_t match_id, unsigned slot,
                       uint32_t turn, struct profile_chunk *chunk,
                       struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_PROFILE_FIND, err, SQL_I64(match_id), SQL_I64(slot),
                  SQL_I64(turn / PROFILE_CHUNK_TURNS));
    int row = st ? stmt_step(st, err) : -1;
    struct profile_chunk found = {0};

    if (row != 1)
        return row;
    size_t size;
    const void *packed = stmt_blob(st, 0, &size);
    if (profile_chunk_parse(packed, size, &found, err) < 0)
        return err_wrap(err, "profile of match %lld, slot %u, turn %u",
                        (long long)match_id, slot, turn);
    if (turn < found.first_turn || turn - found.first_turn >= found.turns) {
        profile_chunk_release(&found);
        return 0;
    }
    *chunk = found;
    return 1;
}
