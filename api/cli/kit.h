/* kit: what the contestant's commands (new, test, why, watch, debug) share.
 *
 * `bout new` writes a folder with bot.c or bot.cpp, the game's rules.md and
 * bout.json, {"game": NAME}, so that the commands know what a bot plays.
 */
#pragma once

#include "runner/base/err.h"

#define KIT_NOTE "bout.json"

/* The game that a bot is for, by the bout.json in its folder: `bot` is that
 * folder or a file in it. To be freed. NULL: ERR_MISSING, or ERR_INPUT if the
 * note makes no sense. */
char *kit_game(const char *bot, struct err *err);

/* What a number in `of` is in percent, as text: "12 %", "0.3 %". */
const char *kit_percent(double number, double of, char to[16]);
