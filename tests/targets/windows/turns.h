/* turns: what a bot under Windows and the one who stands in for it before the
 * runner (run_wine.c) say to each other, over the bot's stdin and stdout.
 *
 *     to the bot      struct page_start, once
 *     from the bot    a byte: it is ready
 *     to the bot      struct turns_grant, the view
 *     from the bot    the hidden page, reply, log, counters, events
 *     to the bot      struct turns_grant, the view
 *     ...
 *
 * Sizes are those that turns_grant, the hidden page and page_start tell. A bot
 * that ends says so by `end` in its hidden page. On the runner's side the words
 * between TURNS_RUNNERS and TURNS_BOTS are not copied: they belong to the two
 * who sleep on them there.
 */
#pragma once

#include "instrument/bot/page.h"

#include <stddef.h>
#include <stdint.h>

/* What the runner writes into the hidden page when it grants a turn. */
struct turns_grant {
    int64_t budget;
    uint64_t spent;
    uint64_t view_size;
    uint32_t last;
    uint32_t granted;
};

#define TURNS_RUNNERS offsetof(struct page_hidden, granted)
#define TURNS_BOTS offsetof(struct page_hidden, view_next)
