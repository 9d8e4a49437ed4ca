/* cursor: pages of lists. `?limit=` and `?cursor=` come in, `next` and Link go
 * out. A cursor names the last row of its page by the keys of the list's total
 * order, so rows that come or go between two pages shift nothing. It is opaque
 * to clients: base64url over the keys and a check of 8 bytes, bound to the list
 * (path and filters), so that one list's cursor is refused by another. */
#pragma once

#include "api/http/request.h"

#include <jansson.h>
#include <stdint.h>

#define CURSOR_KEYS 2

struct cursor {
    int64_t key[CURSOR_KEYS];
    bool given;
};

#define CURSOR_DEFAULT 50
#define CURSOR_MOST 200

/* Reads both parameters. ERR_INPUT for a bad limit or cursor. */
int cursor_read(const struct request *request, uint32_t most,
                struct cursor *cursor, uint32_t *limit, struct err *err);

/* Answers 200 {"items": [...], "next": "..." | null}. Takes `items`. `last` is
 * NULL on the last page. */
int cursor_reply(struct request *request, json_t *items,
                 const struct cursor *last);

/* Only the Link header, for lists that are not JSON. */
void cursor_link(struct request *request, const struct cursor *last);
