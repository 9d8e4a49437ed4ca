/* service: what every handler of a request may use. Filled once by
 * api/cli/cmd_serve.c, read only from then on; the things it points to lock
 * themselves. */
#pragma once

#include "api/http/address.h"
#include "api/http/disk.h"
#include "api/http/dispatch.h"
#include "api/http/events.h"
#include "api/http/games.h"
#include "api/http/keeper.h"
#include "api/http/library.h"
#include "api/http/metrics.h"
#include "api/http/selfprofile.h"
#include "db/writer.h"
#include "runner/base/hash.h"

#include <stdbool.h>
#include <stdint.h>

enum registration {
    REGISTRATION_ADMIN,      /* an admin */
    REGISTRATION_INVITATION, /* and who has an invitation */
    REGISTRATION_OPEN,       /* anybody */
};

struct service {
    const char *database; /* path, for reading connections */
    struct writer *writer;
    struct dispatch *dispatch; /* NULL until it has started */
    struct events *events;     /* the server's */
    struct games *games;
    struct metrics *metrics;
    char fingerprint[HASH_HEX_SIZE]; /* of the toolchain */
    struct library *library;         /* for profiles */
    struct retention retention;      /* what is kept, and how long */
    struct disk *disk;               /* NULL: not watched */
    struct keeper *keeper;           /* who drops it; NULL: nobody */
    struct selfprofile *selfprofile; /* NULL: the service does not profile */
    enum registration registration;  /* who may add a user */
    struct proxies proxies;          /* they say who the client is */
    unsigned client_connections;     /* of one client at once; 0: server.h's */
    double rate_per_s;               /* requests of one client; 0: no limit */
    double post_rate_per_s;          /* POSTs of one client; 0: no limit */
};
