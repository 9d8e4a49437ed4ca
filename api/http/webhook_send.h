/* webhook_send: a thread that tells webhooks what waits to be told.
 *
 * POSTs {"event":"match","match":12,"status":"finished","url":"/v1/matches/12"}
 * with the header Bout-Signature: t=SECONDS,v1=HEX, where HEX is HMAC-SHA256
 * with the webhook's secret over "SECONDS.BODY". 2xx is taken for done;
 * anything else is tried again, six times within half an hour. Redirects are
 * not followed, no proxy is used, and only public addresses are spoken to: what
 * a user names must not reach into the network that the service stands in.
 */
#pragma once

#include "db/writer.h"

#include <stdatomic.h>
#include <sys/socket.h>

struct webhook_sender;

struct webhook_send_spec {
    const char *database; /* path, for reading */
    struct writer *writer;
    bool private_too; /* any address will do */
};

struct webhook_sender *webhook_send_start(const struct webhook_send_spec *spec,
                                          struct err *err);
void webhook_send_stop(struct webhook_sender *sender);

/* Is it an address that anybody on the Internet may reach? */
bool webhook_is_public(const struct sockaddr *address);
