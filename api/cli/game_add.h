/* game_add: a game is tried and taken in. */
#pragma once

#include "runner/base/err.h"

/* `bout games add FOLDER`: CLI_DONE, or -1: ERR_INPUT says what it lacks. */
int game_add(const char *folder, struct err *err);
