/* seat: a bot about to play in a slot: what its process is started with. */
#pragma once

#include "runner/build/build.h"
#include "runner/jail/box.h"
#include "runner/match/limits.h"

struct seat {
    struct build *build;         /* borrowed, as are the others */
    const struct limits *limits; /* of memory, stack, view, reply and log */
    const char *seed;            /* of the match, as written in its log */
    unsigned slot;
    uint64_t profile_bytes; /* of box_spec */
};

/* Starts the bot: its start-up runs then. Errors name the slot. */
int seat_spawn(struct zygote *zygote, const struct seat *seat, struct box *box,
               struct err *err);
