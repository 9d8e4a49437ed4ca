/* json: writing JSON by hand, where a tree of objects would be too slow. */
#pragma once

#include "runner/base/buf.h"

/* Appends the text as a JSON string with its quotes. Bytes that are not valid
 * UTF-8 are written as U+FFFD, so the document always parses. */
void json_add_string(struct buf *out, const char *text);
void json_add_string_size(struct buf *out, const char *text, size_t size);
