/* webhook_send: a thread that tells webhooks what waits to be told.
 *
 * POSTs {"event":"match","match":12,"status":"finished","url":"/v1/matches/12"}
 * with the header Bout-Signature: t=SECONDS,v1=HEX, where HEX is HMAC-SHA256
 * with the webhook's secret over "SECONDS.BODY". 2xx is taken for done;
 * anything else is tried again, six times within half an hour. Redirects are
 * not followed, no proxy is used, and only public addresses are spoken to: what
 * a user names must not reach into the network that the service stands in.
 *
 * Many are sent at once, but one at a time to a webhook (so each is told in the
 * order in which matches ended, but for those tried again): who does not answer
 * delays nobody else. What is under way when the service stops is sent again at
 * its next start.
 */
#pragma once

#include "api/http/disk.h"
#include "db/writer.h"

#include <stdbool.h>

struct webhook_sender;

struct webhook_send_spec {
    const char *database; /* path, for reading */
    struct writer *writer;
    const struct disk *disk; /* NULL: it has room */
    bool private_too;        /* any address will do */
};

struct webhook_sender *webhook_send_start(const struct webhook_send_spec *spec,
                                          struct err *err);
void webhook_send_stop(struct webhook_sender *sender);
