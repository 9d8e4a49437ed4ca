/* The thread owns everything here but `stopping`. Attempts are libcurl's easy
 * handles in one multi handle; twice a second, and whenever one has ended, it
 * looks what is due. */
#include "api/http/webhook_send.h"

#include "api/http/webhook_address.h"
#include "db/tokens.h"
#include "db/webhooks.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define SEND_TIMEOUT_MS 10000L
#define SEND_ANSWER_MAX 65536
#define SEND_LOOK_MS 500
#define SEND_BROKEN_MS 10000
#define SEND_AT_ONCE 256

/* One attempt that is under way. */
struct flight {
    struct flight *next;
    struct webhook_sender *sender;
    struct delivery delivery;
    CURL *curl;
    struct curl_slist *headers;
    char *body;
    size_t read;      /* bytes of the answer */
    bool was_private; /* an address was refused */
};

struct webhook_sender {
    struct webhook_send_spec spec;
    struct db *db; /* the thread's alone, as are these */
    CURLM *multi;
    struct flight *flight;
    uint64_t look_at_ns; /* when to look what is due */
    pthread_t thread;
    atomic_bool stopping;
};

/* ---- one attempt ------------------------------------------------------------
 */

/* libcurl asks with the address that it found: a name that says another one
 * later gains nothing. */
static curl_socket_t open_public(void *user, curlsocktype purpose,
                                 struct curl_sockaddr *address)
{
    struct flight *flight = user;

    (void)purpose;
    if (!flight->sender->spec.private_too &&
        !webhook_is_public(&address->addr)) {
        flight->was_private = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC,
                  address->protocol);
}

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

/* A connection ends with its attempt, so that each address is looked at; a name
 * server that does not answer holds nobody up (QUICK_EXIT). */
static void set_options(CURL *curl, struct flight *flight)
{
    curl_easy_setopt(curl, CURLOPT_URL, flight->delivery.url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, SEND_TIMEOUT_MS);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_public);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, flight);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop_answer);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &flight->read);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, flight->body);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, flight->headers);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "bout");
    curl_easy_setopt(curl, CURLOPT_PRIVATE, flight);
}

static char *body_of(const struct delivery *delivery)
{
    return mem_format("{\"event\":\"match\",\"match\":%lld,\"status\":\"%s\","
                      "\"url\":\"/v1/matches/%lld\"}",
                      (long long)delivery->match_id, delivery->status,
                      (long long)delivery->match_id);
}

static void flight_free(struct flight *flight)
{
    if (flight->curl) {
        curl_multi_remove_handle(flight->sender->multi, flight->curl);
        curl_easy_cleanup(flight->curl);
    }
    curl_slist_free_all(flight->headers);
    delivery_release(&flight->delivery);
    free(flight->body);
    free(flight);
}

/* Takes the delivery over. One that libcurl does not take is tried again at the
 * next look. */
static void flight_start(struct webhook_sender *sender,
                         struct delivery *delivery)
{
    struct flight *flight = mem_calloc(1, sizeof *flight);

    *flight = (struct flight){.sender = sender, .delivery = *delivery};
    *delivery = (struct delivery){0};
    flight->body = body_of(&flight->delivery);
    flight->headers = headers_of(&flight->delivery, flight->body);
    flight->curl = curl_easy_init();
    if (flight->curl)
        set_options(flight->curl, flight);
    if (!flight->curl ||
        curl_multi_add_handle(sender->multi, flight->curl) != CURLM_OK) {
        log_line(LOG_ALARM, "webhook", "libcurl takes no more");
        flight_free(flight);
        return;
    }
    flight->next = sender->flight;
    sender->flight = flight;
}

/* ---- what is due ------------------------------------------------------------
 */

static bool may_start(const struct webhook_sender *sender,
                      const struct delivery *delivery)
{
    unsigned all = 0;

    for (const struct flight *f = sender->flight; f; f = f->next) {
        if (f->delivery.webhook_id == delivery->webhook_id)
            return false;
        all++;
    }
    return all < SEND_AT_ONCE;
}

static int start_due(struct webhook_sender *sender, struct err *err)
{
    struct delivery_list due = {0};

    if (delivery_list_due(sender->db, clock_wall_ns(), &due, err) < 0)
        return -1;
    for (size_t i = 0; i < due.count; i++)
        if (may_start(sender, &due.row[i]))
            flight_start(sender, &due.row[i]);
    delivery_list_release(&due);
    return 0;
}

/* ---- what came of it --------------------------------------------------------
 */

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

static uint64_t after_ms(uint64_t ms)
{
    return clock_mono_ns() + ms * 1000000;
}

/* For the owner: a status or libcurl's sentence. */
static char *answer_of(const struct flight *flight, CURLcode code, long status)
{
    if (code == CURLE_OK)
        return mem_format("%ld", status);
    return mem_dup_str(flight->was_private ? "not tried: not a public address"
                                           : curl_easy_strerror(code));
}

static void flight_end(struct webhook_sender *sender, struct flight *flight,
                       CURLcode code)
{
    long status = 0;
    struct err err = {0};

    curl_easy_getinfo(flight->curl, CURLINFO_RESPONSE_CODE, &status);
    auto_free char *answer = answer_of(flight, code, status);
    struct note note = {
        .delivery = &flight->delivery,
        .answer = answer,
        .done = code == CURLE_OK && status >= 200 && status < 300,
    };
    /* What cannot be noted, as on a full disk, is sent again: not at once. */
    sender->look_at_ns = 0;
    if (writer_run(sender->spec.writer, false, note_fn, &note, &err) < 0) {
        sender->look_at_ns = after_ms(SEND_BROKEN_MS);
        log_line(LOG_ALARM, "webhook", "%s", err.msg);
    }
    struct flight **at = &sender->flight;
    while (*at != flight)
        at = &(*at)->next;
    *at = flight->next;
    flight_free(flight);
}

/* Whether any has ended. */
static bool end_flights(struct webhook_sender *sender)
{
    CURLMsg *message;
    bool has_ended = false;
    int left;

    while ((message = curl_multi_info_read(sender->multi, &left))) {
        char *flight = NULL;
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode code = message->data.result; /* gone with its handle */
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &flight);
        flight_end(sender, (void *)flight, code);
        has_ended = true;
    }
    return has_ended;
}

/* ---- the thread -------------------------------------------------------------
 */

static void *send_main(void *arg)
{
    struct webhook_sender *sender = arg;
    int running;

    while (!atomic_load(&sender->stopping)) {
        struct err err = {0};
        if (clock_mono_ns() >= sender->look_at_ns) {
            sender->look_at_ns = after_ms(SEND_LOOK_MS);
            if (disk_has_room_for_matches(sender->spec.disk) &&
                start_due(sender, &err) < 0)
                log_line(LOG_ALARM, "webhook", "%s", err.msg);
        }
        curl_multi_perform(sender->multi, &running);
        if (!end_flights(sender))
            curl_multi_poll(sender->multi, NULL, 0, SEND_LOOK_MS, NULL);
    }
    while (sender->flight) {
        struct flight *flight = sender->flight;
        sender->flight = flight->next;
        flight_free(flight);
    }
    return NULL;
}

static void sender_free(struct webhook_sender *sender)
{
    curl_multi_cleanup(sender->multi);
    db_close(sender->db);
    free(sender);
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
    sender->multi = curl_multi_init();
    int code = sender->multi
                   ? pthread_create(&sender->thread, NULL, send_main, sender)
                   : ENOMEM;
    if (code == 0)
        return sender;
    err_sys(err, code, "webhooks: thread");
    sender_free(sender);
    return NULL;
}

void webhook_send_stop(struct webhook_sender *sender)
{
    if (!sender)
        return;
    atomic_store(&sender->stopping, true);
    curl_multi_wakeup(sender->multi);
    pthread_join(sender->thread, NULL);
    sender_free(sender);
}
