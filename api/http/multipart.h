/* multipart: the parts of a multipart/form-data body that is wholly here.
 *
 * Parts point into the body, which the caller keeps; nothing is copied but the
 * names. A body that is malformed or does not end with the closing boundary is
 * ERR_INPUT: a truncated upload is never half taken. Source: RFC 7578, RFC
 * 2046 5.1 (no nested multiparts, no transfer encodings).
 */
#pragma once

#include "runner/base/err.h"

#include <stddef.h>

#define MULTIPART_MAX_PARTS 1024
#define MULTIPART_MAX_NAME 256

struct multipart_part {
    char *name;
    char *filename; /* NULL: a plain field. Hostile: never a path of ours */
    const char *bytes;
    size_t size;
};

struct multipart {
    struct multipart_part *part;
    size_t count;
};

void multipart_release(struct multipart *form);
#define auto_multipart __attribute__((cleanup(multipart_release)))

/* `content_type` is the header's whole value, with its boundary parameter. */
int multipart_parse(struct multipart *form, const char *content_type,
                    const char *body, size_t size, struct err *err);

/* The first part of that name, or NULL. */
const struct multipart_part *multipart_find(const struct multipart *form,
                                            const char *name);
