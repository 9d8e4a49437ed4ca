/* uri: the request target, taken apart strictly.
 *
 * libmicrohttpd decodes a path before anybody has looked at it ("%2F" becomes a
 * separator, "%00" cuts the string). So we keep the raw target, split it first
 * and decode each part alone. A path that holds an empty, "." or ".." segment,
 * a bad escape, a control character or text that is not UTF-8 is ERR_INPUT.
 *
 * `struct uri` owns its strings; start it as {0}, end it with uri_release.
 * Source: RFC 3986 3.3, 3.4; application/x-www-form-urlencoded for '+'.
 */
#pragma once

#include "runner/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define URI_MAX_SEGMENTS 8
#define URI_MAX_PAIRS 16
#define URI_MAX_BYTES 4096

struct uri_pair {
    char *name;
    char *value; /* "" for a flag without '=' */
};

struct uri {
    char *segment[URI_MAX_SEGMENTS]; /* none for "/" */
    size_t segment_count;
    struct uri_pair pair[URI_MAX_PAIRS];
    size_t pair_count;
};

void uri_release(struct uri *uri);
#define auto_uri __attribute__((cleanup(uri_release)))

/* Fills *uri from "/path?query". The absolute form (http://host/path) and a
 * fragment are refused, as is a name that is given twice. */
int uri_parse(struct uri *uri, const char *target, struct err *err);

/* The value of a query parameter, or NULL. Borrowed from the uri. */
const char *uri_query(const struct uri *uri, const char *name);

/* A query parameter that is an integer of low to high; `absent` where it is not
 * given. ERR_INPUT names the parameter. */
struct uri_range {
    int64_t absent;
    int64_t low;
    int64_t high;
};
int uri_query_int(const struct uri *uri, const char *name,
                  struct uri_range range, int64_t *value, struct err *err);

/* Decimal digits alone, no sign, no leading zero but "0", at most 2^53-1. */
bool uri_parse_count(const char *text, int64_t *value);

/* Is this valid UTF-8 without overlong forms and surrogates? RFC 3629. */
bool uri_is_utf8(const char *text, size_t size);
