/* turns: GET /v1/matches/{id}/turns, as JSON or CSV. */
#include "api/http/cursor.h"
#include "api/http/matches.h"
#include "api/http/resources.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define TURNS_MOST 5000

static bool turns_reply_is_text(const struct turn_row *row)
{
    return !memchr(row->reply, '\0', row->reply_size) &&
           uri_is_utf8(row->reply, row->reply_size);
}

/* base64 as in the match log, where the reply is not text. New. */
static char *turns_reply_base64(const struct turn_row *row)
{
    size_t size = sodium_base64_encoded_len(row->reply_size,
                                            sodium_base64_VARIANT_ORIGINAL);
    char *text = mem_alloc(size);

    return sodium_bin2base64(text, size, (const unsigned char *)row->reply,
                             row->reply_size, sodium_base64_VARIANT_ORIGINAL);
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *turns_document(const struct turn_row *row)
{
    json_t *document = json_pack(
        "{s:i, s:i, s:s, s:o, s:o, s:o, s:o}", "turn", (int)row->turn, "slot",
        (int)row->slot, "status", row->status, "instructions",
        row->counted ? reply_count((uint64_t)row->instructions) : json_null(),
        "wall_ns", reply_count((uint64_t)row->wall_ns), "cpu_ns",
        row->cpu_known ? reply_count((uint64_t)row->cpu_ns) : json_null(),
        "memory_bytes", reply_count((uint64_t)row->memory_bytes));

    if (!row->reply || turns_reply_is_text(row)) {
        json_object_set_new(document, "reply",
                            json_stringn_nocheck(row->reply ? row->reply : "",
                                                 row->reply_size));
        return document;
    }
    char *text = turns_reply_base64(row);
    json_object_set_new(document, "reply_base64", json_string(text));
    free(text);
    return document;
}

static int turns_answer_json(struct request *request,
                             const struct turn_row_list *list,
                             const struct cursor *last)
{
    json_t *items = json_array();

    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(items, turns_document(&list->row[i]));
    return cursor_reply(request, items, last);
}

/* ---- CSV, RFC 4180 ------------------------------------------------------ */

/* What a spreadsheet would take for a formula (OWASP, CSV injection). */
static bool turns_is_formula(const char *text, size_t size)
{
    return size > 0 && memchr("=+-@\t\r", *text, 6);
}

static void turns_add_quoted(struct buf *out, const char *text, size_t size)
{
    buf_add_char(out, '"');
    if (turns_is_formula(text, size))
        buf_add_char(out, '\'');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, text[i]);
    }
    buf_add_char(out, '"');
}

/* Exact bytes are only in the JSON form: here the reply's last line break is
 * left out, so that a usual row is one line, what is no text is replaced, and a
 * formula is made text by an apostrophe. */
static void turns_add_csv(struct buf *out, const struct turn_row *row)
{
    auto_buf struct buf reply = {0};

    buf_add_format(out, "%" PRIu32 ",%" PRIu32 ",%s,", row->turn, row->slot,
                   row->status);
    if (row->counted)
        buf_add_format(out, "%" PRId64, row->instructions);
    buf_add_format(out, ",%" PRId64 ",", row->wall_ns);
    if (row->cpu_known)
        buf_add_format(out, "%" PRId64, row->cpu_ns);
    buf_add_format(out, ",%" PRId64 ",", row->memory_bytes);
    size_t size = row->reply_size;
    if (size > 0 && row->reply[size - 1] == '\n')
        size--;
    reply_repair(&reply, row->reply ? row->reply : "", size);
    turns_add_quoted(out, reply.data ? reply.data : "", reply.size);
    buf_add_str(out, "\r\n");
}

static int turns_answer_csv(struct request *request,
                            const struct turn_row_list *list,
                            const struct cursor *last)
{
    struct buf out = {0};

    buf_add_str(&out, "turn,slot,status,instructions,wall_ns,cpu_ns,"
                      "memory_bytes,reply\r\n");
    for (size_t i = 0; i < list->count; i++)
        turns_add_csv(&out, &list->row[i]);
    cursor_link(request, last);
    return reply_bytes(&request->reply, "text/csv; charset=utf-8", &out);
}

/* ---- the request -------------------------------------------------------- */

static int turns_answer(struct request *request, struct db *db, bool csv,
                        struct err *err)
{
    struct turn_row_list list = {0};
    struct cursor cursor;
    uint32_t limit;

    if (cursor_read(request, TURNS_MOST, &cursor, &limit, err) < 0)
        return -1;
    const struct turn_cursor after = {.turn = cursor.given ? cursor.key[0] : -1,
                                      .slot = cursor.key[1]};
    if (turn_row_list(db, request->id, after, limit, &list, err) < 0)
        return -1;
    if (list.count) {
        cursor.key[0] = list.row[list.count - 1].turn;
        cursor.key[1] = list.row[list.count - 1].slot;
    }
    const struct cursor *last = list.more ? &cursor : NULL;
    if (csv)
        turns_answer_csv(request, &list, last);
    else
        turns_answer_json(request, &list, last);
    request->reply.cache = REPLY_IMMUTABLE;
    turn_row_list_release(&list);
    return HANDLED_REPLY;
}

int turns_list(struct request *request, struct db *db, struct err *err)
{
    const char *format = uri_query(&request->uri, "format");
    bool csv = format && !strcmp(format, "csv");
    struct match_row match = {0};

    if (format && !csv && strcmp(format, "json") != 0) {
        reply_invalid(&request->reply, "format", "must be json or csv");
        return reply_invalid_query(&request->reply);
    }
    int found = matches_get_finished(request, db, &match, err);
    if (found <= 0)
        return found;
    match_row_release(&match);
    return turns_answer(request, db, csv, err);
}
