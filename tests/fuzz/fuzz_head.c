/* A request's target, the headers that name its client, and the route. */
#include "tests/fuzz/fuzz.h"

#include "api/http/address.h"
#include "api/http/request.h"
#include "api/http/route.h"

static void check_uri(const struct uri *uri)
{
    for (size_t i = 0; i < uri->segment_count; i++) {
        const char *segment = uri->segment[i];
        assert(*segment && !strchr(segment, '/') && strcmp(segment, "..") != 0);
        assert(uri_is_utf8(segment, strlen(segment)));
    }
    for (size_t i = 0; i < uri->pair_count; i++)
        assert(uri_is_utf8(uri->pair[i].value, strlen(uri->pair[i].value)));
}

static void check_client(const char *list, const char *forwarded)
{
    struct proxies proxies;
    struct address client;
    struct err err = {0};

    if (proxies_parse(&proxies, list, &err) == 0 && proxies.count)
        assert(proxies_have(&proxies, &proxies.row[0].address));
    proxies_parse(&proxies, "127.0.0.0/8,10.0.0.0/8", &err);
    err.kind = ERR_NONE;
    int found = address_forwarded(&proxies, *list ? list : NULL,
                                  *forwarded ? forwarded : NULL, &client, &err);
    assert(found >= 0 || err.kind == ERR_INPUT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    auto_free char *method = fuzz_line(&data, &size);
    auto_free char *list = NULL;
    auto_free char *forwarded = NULL;
    struct service service = {0};
    struct request request = {.service = &service};
    struct err err = {0};

    request.target = fuzz_line(&data, &size);
    list = fuzz_line(&data, &size);
    forwarded = fuzz_line(&data, &size);
    request.method = route_method(method);
    check_client(list, forwarded);
    if (uri_parse(&request.uri, request.target, &err) == 0) {
        check_uri(&request.uri);
        if (route_find(&request))
            assert(route_knows_query(&request) || request.reply.status == 400);
        else
            assert(request.reply.status);
        request_read_wait(&request, 1, &err);
    } else {
        assert(err.kind != ERR_SYSTEM);
    }
    request_release(&request);
    return 0;
}
