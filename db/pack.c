#include "db/pack.h"

#include <assert.h>
#include <zstd.h>

#define PACK_LEVEL 3

void pack_add(struct buf *out, const void *bytes, size_t size)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t room = ZSTD_compressBound(size);

    assert(context);
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, PACK_LEVEL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    buf_reserve(out, room);
    size_t packed = ZSTD_compress2(context, out->data + out->size, room,
                                   bytes ? bytes : "", size);
    ZSTD_freeCCtx(context);
    assert(!ZSTD_isError(packed)); /* the room is enough by definition */
    out->size += packed;
    out->data[out->size] = '\0';
}

int pack_open(const void *packed, size_t size, size_t cap, struct buf *out,
              struct err *err)
{
    unsigned long long plain = ZSTD_getFrameContentSize(packed, size);

    if (plain == ZSTD_CONTENTSIZE_UNKNOWN || plain == ZSTD_CONTENTSIZE_ERROR)
        return err_set(err, ERR_SYSTEM, "packed bytes are damaged");
    if (plain > cap)
        return err_set(err, ERR_TOO_BIG,
                       "packed bytes hold %llu, more than %zu", plain, cap);
    buf_reserve(out, (size_t)plain);
    size_t got =
        ZSTD_decompress(out->data + out->size, (size_t)plain, packed, size);
    if (ZSTD_isError(got) || got != plain)
        return err_set(err, ERR_SYSTEM, "packed bytes are damaged: %s",
                       ZSTD_isError(got) ? ZSTD_getErrorName(got) : "short");
    out->size += got;
    out->data[out->size] = '\0';
    return 0;
}
