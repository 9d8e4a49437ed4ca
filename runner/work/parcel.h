/* parcel: one message between a worker and the server: a JSON object and blobs.
 *
 * On the wire: "BOUT", size of the JSON, count of blobs, 0 (three 32-bit
 * numbers), the blobs' sizes (64 bits each), the JSON, the blobs; numbers are
 * little-endian. Whatever does not fit this or the caps below is refused before
 * memory is asked for. Both ends are our own processes on one machine.
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <jansson.h>

#define PARCEL_MAX_HEAD ((size_t)32 << 20)
#define PARCEL_MAX_BLOBS 4096u
#define PARCEL_MAX_BYTES ((size_t)1 << 30) /* all blobs together */

struct parcel {
    json_t *head; /* an object; owned */
    struct buf *blob;
    size_t blob_count;
};

void parcel_release(struct parcel *parcel);
#define auto_parcel __attribute__((cleanup(parcel_release)))

/* Adds a blob (a copy). Returns its index. */
size_t parcel_add(struct parcel *parcel, const void *bytes, size_t size);

/* Blob `at`, or NULL if there is none. Borrowed. */
const struct buf *parcel_blob(const struct parcel *parcel, size_t at);

/* Over a stream socket. A peer that is gone, or takes longer than the socket's
 * time limit, is ERR_SYSTEM. */
int parcel_send(int fd, const struct parcel *parcel, struct err *err);

/* 1: *parcel (which starts as {0}) is filled; 0: the peer closed between two
 * messages; -1. */
int parcel_receive(int fd, struct parcel *parcel, struct err *err);

/* The head's member, ERR_SYSTEM naming it where it is missing or of another
 * type. Texts are borrowed. */
int parcel_i64(const struct parcel *parcel, const char *key, int64_t *value,
               struct err *err);
const char *parcel_text(const struct parcel *parcel, const char *key,
                        struct err *err);
