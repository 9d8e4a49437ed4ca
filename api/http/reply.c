#include "api/http/reply.h"

#include "runner/base/clock.h"

#include "api/http/selfprofile.h"
#include "api/http/uri.h"
#include "runner/base/cleanup.h"
#include "runner/base/log.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <string.h>
#include <time.h>

void reply_release(struct reply *reply)
{
    buf_release(&reply->body);
    if (reply->stream.ops)
        reply->stream.ops->close(reply->stream.self);
    free(reply->location);
    free(reply->link);
    free(reply->allow);
    free(reply->disposition);
    json_decref(reply->errors);
    *reply = (struct reply){0};
}

const char *reply_reason(unsigned status)
{
    return MHD_get_reason_phrase_for(status);
}

static void reply_set_json(struct reply *reply, unsigned status,
                           const char *content_type, json_t *document)
{
    auto_free char *text = json_dumps(document, JSON_COMPACT);

    json_decref(document);
    buf_clear(&reply->body);
    buf_add_str(&reply->body, text ? text : "{}");
    buf_add_char(&reply->body, '\n');
    reply->status = status;
    reply->content_type = content_type;
}

int reply_json(struct reply *reply, unsigned status, json_t *document)
{
    reply_set_json(reply, status, "application/json", document);
    return 0;
}

int reply_bytes(struct reply *reply, const char *content_type,
                struct buf *bytes)
{
    buf_release(&reply->body);
    reply->body = *bytes;
    *bytes = (struct buf){0};
    reply->status = MHD_HTTP_OK;
    reply->content_type = content_type;
    return 0;
}

int reply_problem(struct reply *reply, unsigned status, const char *code,
                  const char *format, ...)
{
    auto_buf struct buf detail = {0};
    va_list args;

    va_start(args, format);
    buf_add_vformat(&detail, format, args);
    va_end(args);

    json_t *problem =
        json_pack("{s:s, s:s, s:i, s:s, s:o}", "type", "about:blank", "title",
                  reply_reason(status), "status", (int)status, "code", code,
                  "detail", reply_string(detail.data ? detail.data : ""));
    if (reply->errors)
        json_object_set(problem, "errors", reply->errors);
    reply_set_json(reply, status, "application/problem+json", problem);
    reply->cache = REPLY_NO_STORE;
    return 0;
}

void reply_invalid(struct reply *reply, const char *field, const char *format,
                   ...)
{
    auto_buf struct buf message = {0};
    va_list args;

    va_start(args, format);
    buf_add_vformat(&message, format, args);
    va_end(args);
    if (!reply->errors)
        reply->errors = json_array();
    json_array_append_new(
        reply->errors,
        json_pack("{s:o, s:o}", "field", reply_string(field), "message",
                  reply_string(message.data ? message.data : "")));
}

static int reply_invalid_end(struct reply *reply, unsigned status)
{
    const json_t *first = json_array_get(reply->errors, 0);
    const char *field = json_string_value(json_object_get(first, "field"));
    const char *message = json_string_value(json_object_get(first, "message"));
    size_t more = json_array_size(reply->errors) - 1;

    if (more == 0)
        return reply_problem(reply, status, "invalid", "%s: %s", field,
                             message);
    return reply_problem(reply, status, "invalid",
                         "%s: %s; and %zu more, see errors", field, message,
                         more);
}

int reply_invalid_body(struct reply *reply)
{
    return reply_invalid_end(reply, MHD_HTTP_UNPROCESSABLE_CONTENT);
}

int reply_invalid_query(struct reply *reply)
{
    return reply_invalid_end(reply, MHD_HTTP_BAD_REQUEST);
}

int reply_err(struct reply *reply, const struct err *err)
{
    switch (err->kind) {
    case ERR_INPUT:
        return reply_problem(reply, MHD_HTTP_BAD_REQUEST, "bad_request", "%s",
                             err->msg);
    case ERR_MISSING:
        return reply_problem(reply, MHD_HTTP_NOT_FOUND, "not_found", "%s",
                             err->msg);
    case ERR_CONFLICT:
        return reply_problem(reply, MHD_HTTP_CONFLICT, "conflict", "%s",
                             err->msg);
    case ERR_TOO_BIG:
        return reply_problem(reply, MHD_HTTP_CONTENT_TOO_LARGE, "too_big", "%s",
                             err->msg);
    case ERR_BUSY:
        reply->retry_after_s = 1;
        return reply_problem(reply, MHD_HTTP_SERVICE_UNAVAILABLE, "busy",
                             "the service is busy; try again in a moment");
    case ERR_FULL:
        reply->retry_after_s = REPLY_DISK_S;
        return reply_problem(reply, MHD_HTTP_INSUFFICIENT_STORAGE, "disk_full",
                             "the service's disk is full: nothing was stored; "
                             "its operator sees it");
    case ERR_DISK:
        reply->retry_after_s = REPLY_DISK_S;
        return reply_problem(reply, MHD_HTTP_SERVICE_UNAVAILABLE, "disk_fails",
                             "the service's disk takes no writes: nothing was "
                             "stored; its operator sees it");
    case ERR_NONE:
    case ERR_SYSTEM:
        break;
    }
    log_line(LOG_ALARM, "http", "%s", err->msg);
    return reply_problem(reply, MHD_HTTP_INTERNAL_SERVER_ERROR, "internal",
                         "the service failed; it was logged for its operator");
}

json_t *reply_count(uint64_t count)
{
    if (count > (uint64_t)REPLY_MAX_INTEGER)
        return json_integer(REPLY_MAX_INTEGER);
    return json_integer((json_int_t)count);
}

void reply_repair(struct buf *out, const char *text, size_t size)
{
    while (size > 0) {
        size_t step = 1;
        while (step < 4 && step < size && !uri_is_utf8(text, step))
            step++;
        if (*text == '\0' || !uri_is_utf8(text, step)) {
            buf_add_str(out, "\xef\xbf\xbd");
            step = 1;
        } else {
            buf_add(out, text, step);
        }
        text += step;
        size -= step;
    }
}

json_t *reply_string(const char *text)
{
    if (!text)
        return json_null();
    if (uri_is_utf8(text, strlen(text)))
        return json_string_nocheck(text);
    auto_buf struct buf repaired = {0};
    reply_repair(&repaired, text, strlen(text));
    return json_string_nocheck(repaired.data);
}

json_t *reply_time(int64_t time_ns)
{
    time_t seconds = (time_t)(time_ns / 1000000000);
    int millis = (int)(time_ns / 1000000 % 1000);
    struct tm tm;
    char text[64];

    if (time_ns <= 0 || !gmtime_r(&seconds, &tm))
        return json_null();
    size_t size = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(text + size, sizeof text - size, ".%03dZ", millis);
    return json_string(text);
}

json_t *reply_age(int64_t time_ns)
{
    int64_t age_ns = clock_wall_ns() - time_ns;

    return json_integer(age_ns > 0 ? age_ns / 1000000000 : 0);
}
