/* address: who asks: the address of a connection or, where a proxy asks for
 * somebody, the one that the proxy names.
 *
 * Only a proxy that is trusted by name (`proxies`) is believed. Each proxy adds
 * what it sees at the end of `X-Forwarded-For` or `Forwarded`, and what stands
 * before may be a client's invention: the client is the last address that is no
 * trusted proxy's. Source: RFC 7239. */
#pragma once

#include "runner/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct address {
    uint8_t byte[16]; /* IPv4 as ::ffff:a.b.c.d */
};

/* "192.0.2.1" or "2001:db8::1". False: it is neither. */
bool address_parse(struct address *address, const char *text);
/* All zero for a family without addresses. */
void address_of(struct address *address, const struct sockaddr *socket);
bool address_is_loopback(const struct address *address);
/* A number for the client: the IPv4 address, or the /64 that one customer has.
 */
uint64_t address_key(const struct address *address);

#define PROXIES_MAX 32

struct proxies {
    size_t count;
    struct {
        struct address address;
        unsigned bits; /* of the 128 that count */
    } row[PROXIES_MAX];
};

/* "127.0.0.0/8,::1,192.0.2.7". ERR_INPUT names what is wrong. */
int proxies_parse(struct proxies *proxies, const char *text, struct err *err);
bool proxies_have(const struct proxies *proxies, const struct address *address);

/* The client by the values of all X-Forwarded-For and all Forwarded headers,
 * joined by commas, each NULL where there is none. 1; 0: they name nobody
 * ("unknown", a name); ERR_INPUT: they name two, so one of them is a client's
 * own that the proxy has let pass. */
int address_forwarded(const struct proxies *proxies, const char *list,
                      const char *forwarded, struct address *client,
                      struct err *err);
