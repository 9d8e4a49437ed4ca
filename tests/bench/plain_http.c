/* plain_http: libmicrohttpd as `bout serve` sets it up and nothing else: what
 * an answer costs before anybody looks at the request. Usage: plain_http PORT
 */
#include <microhttpd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The signature is the library's. NOLINTNEXTLINE(readability-function-size) */
static enum MHD_Result answer(void *user, struct MHD_Connection *connection,
                              const char *url, const char *method,
                              const char *version, const char *bytes,
                              size_t *size, void **slot)
{
    static char text[] = "{\"status\":\"ok\"}\n";

    (void)user;
    (void)url;
    (void)method;
    (void)version;
    (void)bytes;
    (void)size;
    if (!*slot) {
        *slot = text;
        return MHD_YES;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(
        sizeof text - 1, text, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result =
        MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

int main(int argc, char **argv)
{
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;

    if (argc != 2)
        return 2;
    if (!MHD_start_daemon(flags, (uint16_t)atoi(argv[1]), NULL, NULL, answer,
                          NULL, MHD_OPTION_THREAD_POOL_SIZE, 2u,
                          MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768,
                          MHD_OPTION_END)) {
        perror("plain_http");
        return 3;
    }
    pause();
    return 0;
}
