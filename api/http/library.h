/* library: the metered library's block table, for profiles. It is read when the
 * first profile is asked for and kept: parsing takes milliseconds and several
 * megabytes, and most services never need it. Safe from any thread. */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <jansson.h>

struct library;

/* The table's text, added to `text`. */
int library_read_text(struct buf *text, struct err *err);

struct library *library_new(void);
void library_free(struct library *library);

/* Borrowed until library_free; NULL on failure. */
const json_t *library_blocks(struct library *library, struct err *err);
