#include "api/http/webhook_send.h"

#include "db/tokens.h"
#include "db/webhooks.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SEND_TIMEOUT_MS 10000L
#define SEND_ANSWER_MAX 65536
#define SEND_LOOK_MS 500

struct webhook_sender {
    struct webhook_send_spec spec;
    struct db *db;    /* the thread's alone */
    bool was_private; /* of the attempt at hand: an address was refused */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t stopping_changed;
    bool stopping;
};

/* ---- addresses --------------------------------------------------------------
 */

/* IANA's registries of special-purpose addresses, as far as they are not
 * globally reachable. */
static bool v4_is_public(uint32_t address)
{
    static const struct {
        uint32_t net;
        unsigned bits;
    } special[] = {
        {0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},
        {0xa9fe0000, 16}, {0xac100000, 12}, {0xc0000000, 24}, {0xc0000200, 24},
        {0xc0a80000, 16}, {0xc6120000, 15}, {0xc6336400, 24}, {0xcb007100, 24},
        {0xe0000000, 4},  {0xf0000000, 4},
    };

    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if ((address ^ special[i].net) >> (32 - special[i].bits) == 0)
            return false;
    return true;
}

/* Only global unicast, 2000::/3, less what carries an IPv4 address or is for
 * documents. */
static bool v6_is_public(const struct in6_addr *address)
{
    const uint8_t *b = address->s6_addr;

    if (IN6_IS_ADDR_V4MAPPED(address))
        return v4_is_public((uint32_t)b[12] << 24 | (uint32_t)b[13] << 16 |
                            (uint32_t)b[14] << 8 | b[15]);
    bool teredo_or_docs = b[0] == 0x20 && b[1] == 0x01 &&
                          (b[2] < 0x02 || (b[2] == 0x0d && b[3] == 0xb8));
    bool six_to_four = b[0] == 0x20 && b[1] == 0x02;
    return b[0] >> 5 == 1 && !teredo_or_docs && !six_to_four;
}

bool webhook_is_public(const struct sockaddr *address)
{
    const void *bytes = address;

    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = bytes;
        return v4_is_public(ntohl(v4->sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = bytes;
        return v6_is_public(&v6->sin6_addr);
    }
    return false;
}

/* libcurl asks with the address that it found: a name that says another one
 * later gains nothing. */
static curl_socket_t open_public(void *user, curlsocktype purpose,
                                 struct curl_sockaddr *address)
{
    struct webhook_sender *sender = user;

    (void)purpose;
    if (!sender->spec.private_too && !webhook_is_public(&address->addr)) {
        sender->was_private = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC,
                  address->protocol);
}

/* ---- one attempt ------------------------------------------------------------
 */

static size_t drop_answer(char *bytes, size_t one, size_t count, void *user)
{
    size_t *read = user;

    (void)bytes;
    *read += one * count;
    return *read > SEND_ANSWER_MAX ? 0 : one * count;
}

static char *sign(const struct delivery *delivery, long long seconds,
                  const char *body)
{
    unsigned char mac[crypto_auth_hmacsha256_BYTES];
    char hex[2 * sizeof mac + 1];
    crypto_auth_hmacsha256_state state;
    auto_free char *head = mem_format("%lld.", seconds);
    const void *secret = delivery->secret;
    const void *head_bytes = head;
    const void *body_bytes = body;

    crypto_auth_hmacsha256_init(&state, secret, strlen(delivery->secret));
    crypto_auth_hmacsha256_update(&state, head_bytes, strlen(head));
    crypto_auth_hmacsha256_update(&state, body_bytes, strlen(body));
    crypto_auth_hmacsha256_final(&state, mac);
    sodium_bin2hex(hex, sizeof hex, mac, sizeof mac);
    return mem_format("Bout-Signature: t=%lld,v1=%s", seconds, hex);
}

static struct curl_slist *headers_of(const struct delivery *delivery,
                                     const char *body)
{
    auto_free char *signature =
        sign(delivery, (long long)(clock_wall_ns() / 1000000000), body);
    auto_free char *number =
        mem_format("Bout-Delivery: %lld", (long long)delivery->id);
    struct curl_slist *list =
        curl_slist_append(NULL, "Content-Type: application/json");

    list = curl_slist_append(list, signature);
    return curl_slist_append(list, number);
}

static void set_options(CURL *curl, struct webhook_sender *sender,
                        const struct delivery *delivery, const char *body)
{
    curl_easy_setopt(curl, CURLOPT_URL, delivery->url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, SEND_TIMEOUT_MS);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_public);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, sender);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop_answer);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "bout");
}

/* What came of it, as a word for the owner: a status or libcurl's sentence. */
static char *attempt(struct webhook_sender *sender,
                     const struct delivery *delivery, bool *done)
{
    auto_free char *body =
        mem_format("{\"event\":\"match\",\"match\":%lld,\"status\":\"%s\","
                   "\"url\":\"/v1/matches/%lld\"}",
                   (long long)delivery->match_id, delivery->status,
                   (long long)delivery->match_id);
    CURL *curl = curl_easy_init();
    size_t read = 0;
    long status = 0;

    *done = false;
    if (!curl)
        return mem_dup_str("out of memory");
    struct curl_slist *headers = headers_of(delivery, body);
    set_options(curl, sender, delivery, body);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &read);
    sender->was_private = false;
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    *done = code == CURLE_OK && status >= 200 && status < 300;
    char *answer = code == CURLE_OK ? mem_format("%ld", status)
                   : sender->was_private
                       ? mem_dup_str("not tried: not a public address")
                       : mem_dup_str(curl_easy_strerror(code));
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return answer;
}

/* ---- the thread
 * -------------------------------------------------------------- */

struct note {
    const struct delivery *delivery;
    const char *answer;
    bool done;
};

static int note_fn(struct db *db, void *arg, struct err *err)
{
    const struct note *note = arg;

    return delivery_note(db, note->delivery, note->done, note->answer,
                         clock_wall_ns(), err);
}

/* 1: there was one; 0: nothing is due; -1. */
static int send_next(struct webhook_sender *sender, struct err *err)
{
    struct delivery delivery = {0};
    struct note note = {.delivery = &delivery};
    int found = delivery_next(sender->db, clock_wall_ns(), &delivery, err);

    if (found != 1)
        return found;
    auto_free char *answer = attempt(sender, &delivery, &note.done);
    note.answer = answer;
    int result = writer_run(sender->spec.writer, false, note_fn, &note, err);
    delivery_release(&delivery);
    return result < 0 ? -1 : 1;
}

/* False: it is to stop. */
static bool send_wait(struct webhook_sender *sender, long ms)
{
    struct timespec when;

    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_nsec += ms * 1000000;
    when.tv_sec += when.tv_nsec / 1000000000;
    when.tv_nsec %= 1000000000;
    pthread_mutex_lock(&sender->lock);
    if (ms && !sender->stopping)
        pthread_cond_timedwait(&sender->stopping_changed, &sender->lock, &when);
    bool stopping = sender->stopping;
    pthread_mutex_unlock(&sender->lock);
    return !stopping;
}

static void *send_main(void *arg)
{
    struct webhook_sender *sender = arg;
    int sent = 0;

    while (send_wait(sender, sent == 1 ? 0 : SEND_LOOK_MS)) {
        struct err err = {0};
        sent = send_next(sender, &err);
        if (sent < 0)
            log_line(LOG_ALARM, "webhook", "%s", err.msg);
    }
    return NULL;
}

struct webhook_sender *webhook_send_start(const struct webhook_send_spec *spec,
                                          struct err *err)
{
    struct db *db = db_open(spec->database, DB_READ, err);

    if (!db)
        return NULL;
    struct webhook_sender *sender = mem_calloc(1, sizeof *sender);
    sender->spec = *spec;
    sender->db = db;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    pthread_mutex_init(&sender->lock, NULL);
    pthread_cond_init(&sender->stopping_changed, NULL);
    int code = pthread_create(&sender->thread, NULL, send_main, sender);
    if (code == 0)
        return sender;
    err_sys(err, code, "webhooks: thread");
    db_close(db);
    free(sender);
    return NULL;
}

void webhook_send_stop(struct webhook_sender *sender)
{
    if (!sender)
        return;
    pthread_mutex_lock(&sender->lock);
    sender->stopping = true;
    pthread_cond_signal(&sender->stopping_changed);
    pthread_mutex_unlock(&sender->lock);
    pthread_join(sender->thread, NULL);
    db_close(sender->db);
    pthread_cond_destroy(&sender->stopping_changed);
    pthread_mutex_destroy(&sender->lock);
    free(sender);
}
