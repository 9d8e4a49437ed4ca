/* unsealed: what stands in for instrument/bot/seal.c in a bot that a test runs
 * under qemu's user mode, which lends the bot its own address space and knows
 * no filters. `bout build` never links it: only a library folder that a test
 * makes has it. */
#include "instrument/bot/inside.h"

void bot_unmap_rest(void)
{
}

void bot_load_filter(void)
{
}
