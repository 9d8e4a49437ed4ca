/* answer: from a struct reply to what the library sends. */
#include "api/http/exchange.h"

#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <stdio.h>
#include <string.h>

#define ANSWER_ETAG_SIZE (HASH_HEX_SIZE + 2)
#define ANSWER_BLOCK_BYTES 65536

/* Is `etag` (with its quotes) in an If-None-Match? Weak comparison, RFC 9110
 * 13.1.2. */
static bool answer_has_etag(const char *header, const char *etag)
{
    size_t size = strlen(etag);

    if (!strcmp(header, "*"))
        return true;
    for (const char *at = strstr(header, etag); at; at = strstr(at + 1, etag)) {
        bool starts = at == header || strchr(" ,/", at[-1]);
        if (starts && (!at[size] || strchr(" ,", at[size])))
            return true;
    }
    return false;
}

static void answer_header(struct MHD_Response *response, const char *name,
                          const char *value)
{
    if (value)
        MHD_add_response_header(response, name, value);
}

/* The ETag over the body; "" where the answer must not be kept. */
static void answer_etag(const struct reply *reply, char etag[ANSWER_ETAG_SIZE])
{
    char hex[HASH_HEX_SIZE];

    etag[0] = '\0';
    if (reply->cache == REPLY_NO_STORE || reply->status != MHD_HTTP_OK)
        return;
    hash_bytes_hex(reply->body.data ? reply->body.data : "", reply->body.size,
                   hex);
    snprintf(etag, ANSWER_ETAG_SIZE, "\"%s\"", hex);
}

static const char *answer_cache_control(enum reply_cache cache)
{
    switch (cache) {
    case REPLY_REVALIDATE:
        return "no-cache";
    case REPLY_IMMUTABLE:
        return "public, max-age=31536000, immutable";
    case REPLY_IMMUTABLE_PRIVATE:
        return "private, max-age=31536000, immutable";
    case REPLY_NO_STORE:
        break;
    }
    return "no-store";
}

static void answer_headers(struct MHD_Response *response,
                           const struct reply *reply)
{
    if (reply->status != MHD_HTTP_NO_CONTENT)
        answer_header(response, "Content-Type", reply->content_type);
    answer_header(response, "Location", reply->location);
    answer_header(response, "Link", reply->link);
    answer_header(response, "Allow", reply->allow);
    answer_header(response, "Content-Disposition", reply->disposition);
    if (reply->authenticate)
        answer_header(response, "WWW-Authenticate", "Bearer realm=\"bout\"");
    if (reply->close)
        answer_header(response, "Connection", "close");
    if (reply->retry_after_s) {
        auto_free char *text = mem_format("%u", reply->retry_after_s);
        answer_header(response, "Retry-After", text);
    }
    answer_header(response, "Cache-Control",
                  answer_cache_control(reply->cache));
    if (reply->cache != REPLY_NO_STORE) /* owners see more than others */
        answer_header(response, "Vary", "Authorization");
    answer_header(response, "X-Content-Type-Options", "nosniff");
    answer_header(response, "Content-Security-Policy",
                  "default-src 'none'; style-src 'unsafe-inline'; "
                  "frame-ancestors 'none'; base-uri 'none'");
    answer_header(response, "Referrer-Policy", "no-referrer");
}

/* ---- an answer that goes on ------------------------------------------------
 */

/* Of a connection whose body goes on. */
struct answer_stream {
    struct server *server;
    struct MHD_Connection *connection;
    struct stream from;
};

static void stream_sleep(void *user)
{
    struct answer_stream *stream = user;

    pthread_mutex_lock(&stream->server->lock);
    MHD_suspend_connection(stream->connection);
    stream->server->suspended++;
    pthread_mutex_unlock(&stream->server->lock);
}

static void stream_wake(void *user)
{
    struct answer_stream *stream = user;

    pthread_mutex_lock(&stream->server->lock);
    stream->server->suspended--;
    pthread_cond_broadcast(&stream->server->news);
    MHD_resume_connection(stream->connection);
    pthread_mutex_unlock(&stream->server->lock);
}

static ssize_t stream_read(void *user, uint64_t position, char *to, size_t size)
{
    struct answer_stream *stream = user;
    ssize_t got = stream->from.ops->read(stream->from.self, to, size);

    (void)position;
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : got;
}

static void stream_free(void *user)
{
    struct answer_stream *stream = user;

    stream->from.ops->close(stream->from.self);
    free(stream);
}

/* The stream moves into the response. */
static struct MHD_Response *answer_listen(struct exchange *exchange)
{
    struct reply *reply = &exchange->request.reply;
    struct answer_stream *stream = mem_alloc(sizeof *stream);

    *stream = (struct answer_stream){
        .server = exchange->server,
        .connection = exchange->connection,
    };
    stream->from = reply->stream;
    reply->stream = (struct stream){0};
    const struct listener_wait wait = {
        .sleep = stream_sleep,
        .wake = stream_wake,
        .user = stream,
    };
    stream->from.ops->wait_by(stream->from.self, &wait);
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, ANSWER_BLOCK_BYTES, stream_read, stream, stream_free);
    if (!response)
        stream_free(stream);
    return response;
}

/* The body's bytes move into the response. */
static struct MHD_Response *answer_body(struct exchange *exchange)
{
    struct reply *reply = &exchange->request.reply;

    if (reply->stream.ops)
        return answer_listen(exchange);
    size_t size = reply->body.size;

    return MHD_create_response_from_buffer_with_free_callback(
        size, buf_take(&reply->body), free);
}

enum MHD_Result exchange_answer(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    struct reply *reply = &request->reply;
    char etag[ANSWER_ETAG_SIZE];

    answer_etag(reply, etag);
    if (*etag && request->if_none_match &&
        answer_has_etag(request->if_none_match, etag)) {
        reply->status = MHD_HTTP_NOT_MODIFIED;
        buf_clear(&reply->body);
    }
    struct MHD_Response *response = answer_body(exchange);
    if (!response)
        return MHD_NO;
    answer_headers(response, reply);
    if (*etag)
        answer_header(response, "ETag", etag);
    enum MHD_Result result =
        MHD_queue_response(exchange->connection, reply->status, response);
    MHD_destroy_response(response);
    exchange->state = EXCHANGE_SENT;
    metrics_note(exchange->server->service->metrics, reply->status,
                 clock_mono_ns() - exchange->started_ns);
    return result;
}
