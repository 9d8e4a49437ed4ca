/* price: what bulk work costs, from cost.def, and how it is paid.
 *
 * Work whose amount is known only afterwards is done in pieces, each paid as
 * soon as it is done; a whole piece is a multiple of 8 bytes, so that the sum
 * over the pieces is the price of the whole. */
#pragma once

#include <stddef.h>

#include "instrument/bot/runtime.h"

enum {
#define COST(name, key, value, text) COST_##name = (value),
#include "instrument/cost.def"
};

#define PRICE_PIECE_BYTES 4096u

static inline void price_pay_bytes(size_t bytes)
{
    __bout_charge((bytes + 7) / 8 * COST_BULK_WORD);
}

static inline void price_pay_base(void)
{
    __bout_charge(COST_BULK_BASE);
}
