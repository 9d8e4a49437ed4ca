/* exec_game: a referee that is run as it is, in any language. */
#pragma once

#include "runner/build/build.h"

/* Most parts of its command. */
#define EXEC_GAME_MAX_PARTS 16

/* Of a folder with game.json; see build_make_game. ERR_INPUT says what is odd
 * about that file. */
struct build *exec_game_make(const char *dir, struct err *err);
