/* serve_games: what `bout serve` must know about the games before it starts. */
#pragma once

#include "api/http/games.h"
#include "runner/base/err.h"

/* Builds and asks every referee, in a child of its own: building takes memory
 * and the jail wants a process without threads, the server needs neither. Call
 * before the first thread. NULL on failure; games_free. */
struct games *serve_games_read(struct err *err);
