/* Where a list or a stream goes on: ?cursor=, ?limit= and Last-Event-ID. */
#include "tests/fuzz/fuzz.h"

#include "api/http/cursor.h"
#include "api/http/events.h"

static void ignore(void *user)
{
    (void)user;
}

static void check_listen(const char *last)
{
    static struct events *events;
    const struct events_filter filter = {.match = 1};
    const struct listener_wait wait = {.sleep = ignore, .wake = ignore};
    char bytes[256];

    if (!events)
        events = events_open("/nonexistent/bout.db");
    struct stream stream = events_listen(events, &filter, last);
    stream.ops->wait_by(stream.self, &wait);
    ssize_t got = stream.ops->read(stream.self, bytes, sizeof bytes);
    assert(got > 0 && got <= (ssize_t)sizeof bytes);
    stream.ops->close(stream.self);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    auto_free char *last = fuzz_line(&data, &size);
    struct request request = {.target = fuzz_line(&data, &size)};
    struct cursor cursor = {0};
    uint32_t limit = 0;
    struct err err = {0};

    check_listen(last);
    if (uri_parse(&request.uri, request.target, &err) == 0) {
        if (cursor_read(&request, CURSOR_MOST, &cursor, &limit, &err) == 0)
            assert(limit >= 1 && limit <= CURSOR_MOST);
        else
            assert(err.kind == ERR_INPUT);
    }
    request_release(&request);
    return 0;
}
