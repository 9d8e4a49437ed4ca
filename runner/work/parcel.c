#include "runner/work/parcel.h"

#include "runner/base/cleanup.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#define PARCEL_MAGIC 0x54554f42u /* "BOUT" */

struct prologue {
    uint32_t magic;
    uint32_t head_size;
    uint32_t blob_count;
    uint32_t zero;
};

void parcel_release(struct parcel *parcel)
{
    json_decref(parcel->head);
    for (size_t i = 0; i < parcel->blob_count; i++)
        buf_release(&parcel->blob[i]);
    free(parcel->blob);
    *parcel = (struct parcel){0};
}

size_t parcel_add(struct parcel *parcel, const void *bytes, size_t size)
{
    size_t at = parcel->blob_count++;

    parcel->blob =
        mem_realloc(parcel->blob, parcel->blob_count * sizeof *parcel->blob);
    parcel->blob[at] = (struct buf){0};
    buf_add(&parcel->blob[at], bytes, size);
    return at;
}

const struct buf *parcel_blob(const struct parcel *parcel, size_t at)
{
    return at < parcel->blob_count ? &parcel->blob[at] : NULL;
}

/* ---- bytes -------------------------------------------------------------- */

static int send_all(int fd, const void *bytes, size_t size, struct err *err)
{
    const char *at = bytes;

    while (size > 0) {
        ssize_t put = send(fd, at, size, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return err_sys(err, errno, "send to the other end");
        at += put;
        size -= (size_t)put;
    }
    return 0;
}

/* 1: all of it; 0: the end came before the first byte; -1. */
static int receive_all(int fd, void *bytes, size_t size, struct err *err)
{
    char *at = bytes;
    size_t left = size;

    while (left > 0) {
        ssize_t got = recv(fd, at, left, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == ECONNRESET && left == size)
            return 0;
        if (got < 0)
            return err_sys(err, errno, "receive from the other end");
        if (got == 0 && left == size)
            return 0;
        if (got == 0)
            return err_set(err, ERR_SYSTEM, "the other end broke off");
        at += got;
        left -= (size_t)got;
    }
    return 1;
}

/* As receive_all, where an end is an error too. */
static int receive_rest(int fd, void *bytes, size_t size, struct err *err)
{
    int got = size ? receive_all(fd, bytes, size, err) : 1;

    if (got == 0)
        return err_set(err, ERR_SYSTEM, "the other end broke off");
    return got < 0 ? -1 : 0;
}

/* ---- sending ------------------------------------------------------------ */

int parcel_send(int fd, const struct parcel *parcel, struct err *err)
{
    auto_free char *text = json_dumps(parcel->head, JSON_COMPACT);
    auto_buf struct buf front = {0};
    size_t total = 0;

    if (!text)
        return err_set(err, ERR_SYSTEM, "message: JSON cannot be written");
    size_t head_size = strlen(text);
    for (size_t i = 0; i < parcel->blob_count; i++)
        total += parcel->blob[i].size;
    if (head_size > PARCEL_MAX_HEAD || parcel->blob_count > PARCEL_MAX_BLOBS ||
        total > PARCEL_MAX_BYTES)
        return err_set(err, ERR_TOO_BIG,
                       "message of %zu and %zu bytes in %zu blobs", head_size,
                       total, parcel->blob_count);
    struct prologue prologue = {
        .magic = PARCEL_MAGIC,
        .head_size = (uint32_t)head_size,
        .blob_count = (uint32_t)parcel->blob_count,
    };
    buf_add(&front, &prologue, sizeof prologue);
    for (size_t i = 0; i < parcel->blob_count; i++) {
        uint64_t size = parcel->blob[i].size;
        buf_add(&front, &size, sizeof size);
    }
    buf_add(&front, text, head_size);
    if (send_all(fd, front.data, front.size, err) < 0)
        return -1;
    for (size_t i = 0; i < parcel->blob_count; i++)
        if (send_all(fd, parcel->blob[i].data, parcel->blob[i].size, err) < 0)
            return -1;
    return 0;
}

/* ---- receiving ---------------------------------------------------------- */

static int receive_head(int fd, size_t size, struct parcel *parcel,
                        struct err *err)
{
    auto_buf struct buf text = {0};
    json_error_t wrong;

    buf_reserve(&text, size);
    if (receive_rest(fd, text.data, size, err) < 0)
        return -1;
    parcel->head = json_loadb(text.data, size, JSON_REJECT_DUPLICATES, &wrong);
    if (!json_is_object(parcel->head))
        return err_set(err, ERR_SYSTEM, "message: not a JSON object (%s)",
                       parcel->head ? "another value" : wrong.text);
    return 0;
}

static int receive_blob(int fd, uint64_t size, struct parcel *parcel,
                        struct err *err)
{
    struct buf *blob = &parcel->blob[parcel->blob_count];

    *blob = (struct buf){0};
    parcel->blob_count++;
    buf_reserve(blob, size);
    if (receive_rest(fd, blob->data, size, err) < 0)
        return -1;
    blob->size = size;
    blob->data[size] = '\0';
    return 0;
}

static int receive_body(int fd, const struct prologue *prologue,
                        struct parcel *parcel, struct err *err)
{
    size_t count = prologue->blob_count;
    auto_free uint64_t *size = mem_calloc(count, sizeof *size);
    uint64_t total = 0;

    if (receive_rest(fd, size, count * sizeof *size, err) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (size[i] > PARCEL_MAX_BYTES - total)
            return err_set(err, ERR_SYSTEM, "message: too large");
        total += size[i];
    }
    if (receive_head(fd, prologue->head_size, parcel, err) < 0)
        return -1;
    parcel->blob = mem_calloc(count, sizeof *parcel->blob);
    for (size_t i = 0; i < count; i++)
        if (receive_blob(fd, size[i], parcel, err) < 0)
            return -1;
    return 0;
}

int parcel_receive(int fd, struct parcel *parcel, struct err *err)
{
    struct prologue prologue;
    int got = receive_all(fd, &prologue, sizeof prologue, err);

    if (got != 1)
        return got;
    if (prologue.magic != PARCEL_MAGIC || prologue.zero != 0 ||
        prologue.head_size > PARCEL_MAX_HEAD ||
        prologue.blob_count > PARCEL_MAX_BLOBS)
        return err_set(err, ERR_SYSTEM, "message: not one of ours");
    if (receive_body(fd, &prologue, parcel, err) < 0) {
        parcel_release(parcel);
        return -1;
    }
    return 1;
}

/* ---- members ------------------------------------------------------------ */

int parcel_i64(const struct parcel *parcel, const char *key, int64_t *value,
               struct err *err)
{
    const json_t *member = json_object_get(parcel->head, key);

    if (!json_is_integer(member))
        return err_set(err, ERR_SYSTEM, "message: %s is not an integer", key);
    *value = json_integer_value(member);
    return 0;
}

const char *parcel_text(const struct parcel *parcel, const char *key,
                        struct err *err)
{
    const char *text = json_string_value(json_object_get(parcel->head, key));

    if (!text)
        err_set(err, ERR_SYSTEM, "message: %s is not a text", key);
    return text;
}
