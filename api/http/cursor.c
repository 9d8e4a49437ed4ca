#include "api/http/cursor.h"

#include "runner/base/cleanup.h"

#include <microhttpd.h>
#include <sodium.h>
#include <string.h>

#define CURSOR_CHECK_BYTES 8

struct cursor_packed {
    int64_t key[CURSOR_KEYS];
    uint8_t check[CURSOR_CHECK_BYTES];
};

#define CURSOR_VARIANT sodium_base64_VARIANT_URLSAFE_NO_PADDING

/* The list: its path and every parameter but limit and cursor. */
static void cursor_check(const struct request *request, const int64_t *key,
                         uint8_t check[CURSOR_CHECK_BYTES])
{
    uint8_t digest[HASH_BYTES];
    struct hash hash;

    hash_init(&hash);
    hash_add(&hash, key, CURSOR_KEYS * sizeof *key);
    for (size_t i = 0; i < request->uri.segment_count; i++)
        hash_add(&hash, request->uri.segment[i],
                 strlen(request->uri.segment[i]) + 1);
    for (size_t i = 0; i < request->uri.pair_count; i++) {
        const struct uri_pair *pair = &request->uri.pair[i];
        if (!strcmp(pair->name, "limit") || !strcmp(pair->name, "cursor"))
            continue;
        hash_add(&hash, pair->name, strlen(pair->name) + 1);
        hash_add(&hash, pair->value, strlen(pair->value) + 1);
    }
    hash_end(&hash, digest);
    memcpy(check, digest, CURSOR_CHECK_BYTES);
}

static int cursor_unpack(const struct request *request, const char *text,
                         struct cursor *cursor, struct err *err)
{
    uint8_t check[CURSOR_CHECK_BYTES];
    struct cursor_packed packed;
    size_t size;

    if (sodium_base642bin((unsigned char *)&packed, sizeof packed, text,
                          strlen(text), NULL, &size, NULL,
                          CURSOR_VARIANT) != 0 ||
        size != sizeof packed)
        return err_set(err, ERR_INPUT,
                       "cursor: give back the `next` of the page before");
    cursor_check(request, packed.key, check);
    if (memcmp(check, packed.check, sizeof check) != 0)
        return err_set(err, ERR_INPUT,
                       "cursor: it belongs to another list or other filters");
    memcpy(cursor->key, packed.key, sizeof packed.key);
    cursor->given = true;
    return 0;
}

int cursor_read(const struct request *request, uint32_t most,
                struct cursor *cursor, uint32_t *limit, struct err *err)
{
    const char *text = uri_query(&request->uri, "cursor");
    const struct uri_range range = {
        .absent = most > CURSOR_MOST ? most : CURSOR_DEFAULT,
        .low = 1,
        .high = most};
    int64_t number;

    *cursor = (struct cursor){0};
    if (uri_query_int(&request->uri, "limit", range, &number, err) < 0)
        return -1;
    *limit = (uint32_t)number;
    return text ? cursor_unpack(request, text, cursor, err) : 0;
}

static void cursor_pack(const struct request *request,
                        const struct cursor *last, char *text, size_t size)
{
    struct cursor_packed packed;

    memcpy(packed.key, last->key, sizeof packed.key);
    cursor_check(request, packed.key, packed.check);
    sodium_bin2base64(text, size, (const unsigned char *)&packed, sizeof packed,
                      CURSOR_VARIANT);
}

static void cursor_add_escaped(struct buf *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
            (c >= '0' && c <= '9') || strchr("-._~", c))
            buf_add_char(out, (char)c);
        else
            buf_add_format(out, "%%%02X", c);
    }
}

void cursor_link(struct request *request, const struct cursor *last)
{
    struct buf link = {0};
    char text[64];

    if (!last)
        return;
    cursor_pack(request, last, text, sizeof text);
    buf_add_char(&link, '<');
    for (size_t i = 0; i < request->uri.segment_count; i++) {
        buf_add_char(&link, '/');
        cursor_add_escaped(&link, request->uri.segment[i]);
    }
    buf_add_format(&link, "?cursor=%s", text);
    for (size_t i = 0; i < request->uri.pair_count; i++) {
        const struct uri_pair *pair = &request->uri.pair[i];
        if (!strcmp(pair->name, "cursor"))
            continue;
        buf_add_char(&link, '&');
        cursor_add_escaped(&link, pair->name);
        buf_add_char(&link, '=');
        cursor_add_escaped(&link, pair->value);
    }
    buf_add_str(&link, ">; rel=\"next\"");
    free(request->reply.link);
    request->reply.link = buf_take(&link);
}

int cursor_reply(struct request *request, json_t *items,
                 const struct cursor *last)
{
    json_t *document = json_pack("{s:o}", "items", items);
    char text[64];

    if (last)
        cursor_pack(request, last, text, sizeof text);
    json_object_set_new(document, "next",
                        last ? json_string(text) : json_null());
    cursor_link(request, last);
    return reply_json(&request->reply, MHD_HTTP_OK, document);
}
