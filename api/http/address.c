#include "api/http/address.h"

#include "api/http/uri.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

static const uint8_t v4_prefix[12] = {[10] = 0xff, [11] = 0xff};

static void address_set_v4(struct address *address, const struct in_addr *v4)
{
    memcpy(address->byte, v4_prefix, sizeof v4_prefix);
    memcpy(address->byte + sizeof v4_prefix, v4, sizeof *v4);
}

static bool address_is_v4(const struct address *address)
{
    return !memcmp(address->byte, v4_prefix, sizeof v4_prefix);
}

bool address_parse(struct address *address, const char *text)
{
    struct in_addr v4;

    if (inet_pton(AF_INET6, text, address->byte) == 1)
        return true;
    if (inet_pton(AF_INET, text, &v4) != 1)
        return false;
    address_set_v4(address, &v4);
    return true;
}

void address_of(struct address *address, const struct sockaddr *socket)
{
    const void *bytes = socket;

    *address = (struct address){0};
    if (socket->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = bytes;
        address_set_v4(address, &v4->sin_addr);
    } else if (socket->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = bytes;
        memcpy(address->byte, &v6->sin6_addr, sizeof address->byte);
    }
}

bool address_is_loopback(const struct address *address)
{
    static const struct address v6 = {.byte[15] = 1};

    if (address_is_v4(address))
        return address->byte[sizeof v4_prefix] == 127;
    return !memcmp(address, &v6, sizeof v6);
}

uint64_t address_key(const struct address *address)
{
    uint64_t key = 0;
    bool v4 = address_is_v4(address);

    for (size_t i = v4 ? sizeof v4_prefix : 0; i < (v4 ? 16 : 8); i++)
        key = key << 8 | address->byte[i];
    return key;
}

/* ---- the trusted proxies ------------------------------------------------- */

static int proxies_add(struct proxies *proxies, char *text, struct err *err)
{
    auto_free char *given = mem_dup_str(text);
    char *slash = strchr(text, '/');
    struct address address;
    int64_t bits = 128;

    if (slash)
        *slash = '\0';
    bool good = address_parse(&address, text);
    bool v4 = good && address_is_v4(&address) && !strchr(text, ':');
    if (slash && good) {
        good = uri_parse_count(slash + 1, &bits) && bits <= (v4 ? 32 : 128);
        bits += v4 ? 96 : 0;
    }
    if (!good)
        return err_set(err, ERR_INPUT,
                       "%s is no address or network, as 127.0.0.1, 10.0.0.0/8 "
                       "or ::1",
                       given);
    if (proxies->count == PROXIES_MAX)
        return err_set(err, ERR_INPUT, "at most %d networks are taken",
                       PROXIES_MAX);
    proxies->row[proxies->count].address = address;
    proxies->row[proxies->count++].bits = (unsigned)bits;
    return 0;
}

int proxies_parse(struct proxies *proxies, const char *text, struct err *err)
{
    auto_free char *copy = mem_dup_str(text);
    char *rest = NULL;

    *proxies = (struct proxies){0};
    for (char *at = strtok_r(copy, ", ", &rest); at;
         at = strtok_r(NULL, ", ", &rest))
        if (proxies_add(proxies, at, err) < 0)
            return -1;
    return 0;
}

static bool address_is_in(const struct address *address,
                          const struct address *network, unsigned bits)
{
    unsigned whole = bits / 8;
    unsigned rest = bits % 8;
    unsigned mask = 0xff00u >> rest & 0xff;

    return !memcmp(address->byte, network->byte, whole) &&
           (rest == 0 ||
            ((address->byte[whole] ^ network->byte[whole]) & mask) == 0);
}

bool proxies_have(const struct proxies *proxies, const struct address *address)
{
    for (size_t i = 0; i < proxies->count; i++)
        if (address_is_in(address, &proxies->row[i].address,
                          proxies->row[i].bits))
            return true;
    return false;
}

/* ---- what they say ------------------------------------------------------- */

/* One hop of a list after the other; who it was is in `address`. */
struct hops {
    const struct proxies *proxies;
    struct address address;
    bool found; /* the hops so far name a client */
    unsigned count;
};

/* "192.0.2.1", "192.0.2.1:80", "[2001:db8::1]", "[2001:db8::1]:80". */
static bool hop_parse(struct address *address, char *text)
{
    char *colon = strchr(text, ':');

    if (*text == '[') {
        char *end = strchr(text, ']');
        if (!end)
            return false;
        *end = '\0';
        text++;
    } else if (colon && !strchr(colon + 1, ':')) {
        *colon = '\0';
    }
    return address_parse(address, text);
}

static void hops_add(struct hops *hops, char *text)
{
    struct address address;
    bool first = hops->count++ == 0;

    if (!hop_parse(&address, text)) {
        hops->found = false;
    } else if (first || !proxies_have(hops->proxies, &address)) {
        hops->address = address;
        hops->found = true;
    }
}

static void hops_read_list(struct hops *hops, const char *list)
{
    auto_free char *copy = mem_dup_str(list);
    char *rest = NULL;

    for (char *at = strtok_r(copy, ", \t", &rest); at;
         at = strtok_r(NULL, ", \t", &rest))
        hops_add(hops, at);
}

/* A token or a quoted string at *at, without its quotes; *at moves behind. */
static void forwarded_value(const char **at, struct buf *value)
{
    bool quoted = **at == '"';

    buf_clear(value);
    *at += quoted;
    while (**at && (quoted ? **at != '"' : !strchr(",; \t", **at))) {
        *at += quoted && (*at)[0] == '\\' && (*at)[1];
        buf_add_char(value, *(*at)++);
    }
    *at += quoted && **at == '"';
}

/* No library reads this header. An element is name=value;name=value. */
static void hops_read_forwarded(struct hops *hops, const char *at)
{
    auto_buf struct buf value = {0};
    auto_buf struct buf client = {0};

    while (*at) {
        at += strspn(at, " \t;");
        const char *name = at;
        at += strcspn(at, "=,;");
        bool is_for = at - name == 3 && !strncasecmp(name, "for", 3);
        if (*at == '=') {
            at++;
            forwarded_value(&at, &value);
        }
        if (is_for) {
            buf_clear(&client);
            buf_add_str(&client, value.data ? value.data : "");
        }
        at += strcspn(at, ",;");
        if (*at == ',' || !*at) {
            hops_add(hops, client.data ? client.data : (char[]){""});
            buf_clear(&client);
            at += *at == ',';
        }
    }
}

int address_forwarded(const struct proxies *proxies, const char *list,
                      const char *forwarded, struct address *client,
                      struct err *err)
{
    struct hops by_list = {.proxies = proxies};
    struct hops by_forwarded = {.proxies = proxies};

    if (list)
        hops_read_list(&by_list, list);
    if (forwarded)
        hops_read_forwarded(&by_forwarded, forwarded);
    if (by_list.found && by_forwarded.found &&
        memcmp(&by_list.address, &by_forwarded.address,
               sizeof by_list.address) != 0)
        return err_set(err, ERR_INPUT,
                       "X-Forwarded-For and Forwarded name two clients: the "
                       "proxy must take one of them out");
    if (!by_list.found && !by_forwarded.found)
        return 0;
    *client = by_list.found ? by_list.address : by_forwarded.address;
    return 1;
}
