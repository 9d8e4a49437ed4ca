#include "runner/match/ending.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdio.h>
#include <string.h>

#define TAIL_BYTES 200

/* The last lines of `bytes`, of at most TAIL_BYTES, as one line. */
static void add_tail(struct buf *to, const char *bytes, size_t size)
{
    const char *at = size > TAIL_BYTES ? bytes + size - TAIL_BYTES : bytes;
    const char *end = bytes + size;
    const char *line = at > bytes ? memchr(at, '\n', (size_t)(end - at)) : NULL;

    if (line && line + 1 < end) /* from the start of a line */
        at = line + 1;
    for (; at < end; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '\n')
            buf_add_str(to, "\\n");
        else if (c >= ' ' && c <= '~')
            buf_add_char(to, *at);
        else
            buf_add_format(to, "\\x%02x", c);
    }
}

void ending_set(struct match_result *result, const struct match_turn *row,
                const char *view, size_t view_size)
{
    auto_buf struct buf text = {0};

    if (view_size) {
        buf_add_str(&text, "last input: ");
        add_tail(&text, view, view_size);
    }
    if (row->log_size) {
        buf_add_format(&text, "%send of stderr: ", text.size ? "; " : "");
        add_tail(&text, row->log, row->log_size);
    }
    snprintf(result->ending, sizeof result->ending, "%s",
             text.data ? text.data : "");
}

const char *ending_text(const struct match_result *result, char *to,
                        size_t size)
{
    snprintf(to, size, "%s%s%s", result->private_detail,
             *result->private_detail && *result->ending ? "; " : "",
             result->ending);
    return to;
}
