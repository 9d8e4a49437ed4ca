/* ending: what the owner of a bot that went out sees beside the verdict. */
#pragma once

#include "runner/match/match.h"

/* Fills result->ending: the last lines of what it read and of what it wrote to
 * standard error. Bytes that are not printable are shown escaped. `row` is its
 * last turn. */
void ending_set(struct match_result *result, const struct match_turn *row,
                const char *view, size_t view_size);

/* "bot.c:17 in search; last input ...; stderr ended ...", what there is of it.
 * Returns `to`. */
const char *ending_text(const struct match_result *result, char *to,
                        size_t size);
