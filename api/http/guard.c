#include "api/http/guard.h"

#include "api/http/uri.h"
#include "runner/base/buf.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define GUARD_SECOND_NS UINT64_C(1000000000)
#define GUARD_HEAD_NS (10 * GUARD_SECOND_NS)
#define GUARD_KEEP_ALIVE_NS (15 * GUARD_SECOND_NS)
#define GUARD_BODY_GRACE_NS (10 * GUARD_SECOND_NS)
#define GUARD_BODY_BYTES_A_SECOND 16384
#define GUARD_HEADERS_MAX 16384
#define GUARD_HEADER_BYTES 4 /* colon, space, line end */

/* ---- framing ------------------------------------------------------------ */

static bool guard_has_control(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < ' ' && c != '\t') || c == 0x7f)
            return true;
    }
    return false;
}

/* RFC 9110 5.6.2: a name with a space before its colon is none, which another
 * server on the way may have read as that name. */
static bool guard_is_token(const char *text, size_t size)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";

    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool digit = c >= '0' && c <= '9';
        if (!letter && !digit && (c == '\0' || !strchr(marks, c)))
            return false;
    }
    return size > 0;
}

/* The signature is the library's. NOLINTNEXTLINE(readability-function-size) */
static enum MHD_Result guard_header(void *user, enum MHD_ValueKind kind,
                                    const char *name, size_t name_size,
                                    const char *value, size_t value_size)
{
    struct guard_framing *framing = user;
    int64_t length;

    (void)kind;
    framing->bad_name |= !guard_is_token(name, name_size);
    framing->bad_bytes |= guard_has_control(value ? value : "", value_size);
    framing->header_bytes += name_size + value_size + GUARD_HEADER_BYTES;
    if (!value || strlen(value) != value_size)
        value = "";
    if (!strcasecmp(name, "Content-Length")) {
        framing->length_count++;
        framing->bad_length |= !uri_parse_count(value, &length);
    } else if (!strcasecmp(name, "Transfer-Encoding")) {
        framing->transfer_count++;
        framing->chunked = !strcasecmp(value, "chunked");
    } else if (!strcasecmp(name, "Host")) {
        framing->host_count++;
        framing->bad_host |= value[strcspn(value, " \t,/?#@\\<>\"")] != '\0';
    } else if (!strcasecmp(name, "Expect")) {
        framing->bad_expect |= strcasecmp(value, "100-continue") != 0;
    }
    return MHD_YES;
}

unsigned guard_judge(const struct guard_framing *framing, const char **why)
{
    *why = NULL;
    if (framing->header_bytes > GUARD_HEADERS_MAX) {
        *why = "the headers have more than 16384 bytes";
        return MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE;
    }
    if (framing->bad_bytes)
        *why = "a header holds control characters";
    else if (framing->bad_name)
        *why = "a header's name holds a space or another character that no "
               "name has";
    else if (framing->bad_host)
        *why = "the Host is no host and port";
    else if (framing->length_count > 1)
        *why = "the request has several Content-Lengths";
    else if (framing->length_count && framing->transfer_count)
        *why = "the request has a Content-Length and a Transfer-Encoding";
    else if (framing->bad_length)
        *why = "the Content-Length is not a number";
    else if (framing->host_count > 1 ||
             (framing->http11 && framing->host_count == 0))
        *why = "the request must have one Host header";
    if (*why)
        return MHD_HTTP_BAD_REQUEST;
    if (framing->transfer_count > 1 ||
        (framing->transfer_count && !framing->chunked)) {
        *why = "the only Transfer-Encoding that is understood is chunked";
        return MHD_HTTP_NOT_IMPLEMENTED;
    }
    if (framing->bad_expect) {
        *why = "the only Expect that is understood is 100-continue";
        return MHD_HTTP_EXPECTATION_FAILED;
    }
    return 0;
}

unsigned guard_head(struct MHD_Connection *connection, const char **why)
{
    struct guard_framing framing = {.http11 = true};

    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, guard_header,
                                &framing);
    if (framing.host_count == 0)
        framing.http11 = false; /* the library has refused 1.1 without Host */
    return guard_judge(&framing, why);
}

/* ---- the watch ---------------------------------------------------------- */

struct guard_watch {
    struct guard_watch *next;
    struct guard_watch **back; /* what points at this one */
    int fd;
    uint64_t deadline_ns; /* UINT64_MAX: our time */
    uint64_t body_start_ns;
    uint64_t body_bytes;
};

struct guard {
    pthread_mutex_t lock; /* over the list and every field of its members */
    struct guard_watch *first;
};

struct guard *guard_new(void)
{
    struct guard *guard = mem_calloc(1, sizeof *guard);

    pthread_mutex_init(&guard->lock, NULL);
    return guard;
}

void guard_free(struct guard *guard)
{
    if (!guard)
        return;
    pthread_mutex_destroy(&guard->lock);
    free(guard);
}

struct guard_watch *guard_open(struct guard *guard, int fd, uint64_t now_ns)
{
    struct guard_watch *watch = mem_calloc(1, sizeof *watch);

    watch->fd = fd;
    watch->deadline_ns = now_ns + GUARD_HEAD_NS;
    pthread_mutex_lock(&guard->lock);
    watch->next = guard->first;
    watch->back = &guard->first;
    if (watch->next)
        watch->next->back = &watch->next;
    guard->first = watch;
    pthread_mutex_unlock(&guard->lock);
    return watch;
}

void guard_close(struct guard *guard, struct guard_watch *watch)
{
    if (!watch)
        return;
    pthread_mutex_lock(&guard->lock);
    *watch->back = watch->next;
    if (watch->next)
        watch->next->back = watch->back;
    pthread_mutex_unlock(&guard->lock);
    free(watch);
}

void guard_head_done(struct guard *guard, struct guard_watch *watch,
                     uint64_t now_ns)
{
    pthread_mutex_lock(&guard->lock);
    watch->body_start_ns = now_ns;
    watch->body_bytes = 0;
    watch->deadline_ns = now_ns + GUARD_BODY_GRACE_NS;
    pthread_mutex_unlock(&guard->lock);
}

void guard_body_bytes(struct guard *guard, struct guard_watch *watch,
                      uint64_t bytes)
{
    pthread_mutex_lock(&guard->lock);
    watch->body_bytes += bytes;
    watch->deadline_ns =
        watch->body_start_ns + GUARD_BODY_GRACE_NS +
        watch->body_bytes * GUARD_SECOND_NS / GUARD_BODY_BYTES_A_SECOND;
    pthread_mutex_unlock(&guard->lock);
}

static void guard_set_deadline(struct guard *guard, struct guard_watch *watch,
                               uint64_t deadline_ns)
{
    pthread_mutex_lock(&guard->lock);
    watch->deadline_ns = deadline_ns;
    pthread_mutex_unlock(&guard->lock);
}

void guard_busy(struct guard *guard, struct guard_watch *watch)
{
    guard_set_deadline(guard, watch, UINT64_MAX);
}

void guard_idle(struct guard *guard, struct guard_watch *watch, uint64_t now_ns)
{
    guard_set_deadline(guard, watch,
                       now_ns + GUARD_KEEP_ALIVE_NS + GUARD_HEAD_NS);
}

unsigned guard_tick(struct guard *guard, uint64_t now_ns)
{
    unsigned count = 0;

    pthread_mutex_lock(&guard->lock);
    for (struct guard_watch *w = guard->first; w; w = w->next) {
        if (w->deadline_ns > now_ns)
            continue;
        /* Only shut down: the library owns the descriptor and closes it after
         * guard_close, so the number cannot mean another connection here. */
        shutdown(w->fd, SHUT_RDWR);
        w->deadline_ns = UINT64_MAX;
        count++;
    }
    pthread_mutex_unlock(&guard->lock);
    return count;
}
