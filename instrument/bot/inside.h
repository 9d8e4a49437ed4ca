/* inside: what the files of the trusted in-bot runtime share.
 *
 * The runtime lives in a stranger's process: it has no libc, keeps all state in
 * hidden memory (hidden.h), and leaves no secret in a register or
 * in memory that the bot can read. build.sh compiles it so that registers used
 * by a function are zeroed at its return. Everything that the bot hands in, and
 * the I/O page, is hostile.
 */
#pragma once

#include "instrument/bot/hidden.h"
#include "instrument/bot/page.h"
#include "instrument/bot/plan.h"
#include "instrument/bot/runtime.h"

#include <stddef.h>
#include <stdint.h>

#define BOT_IO ((struct page_io *)PAGE_IO_ADDRESS)
#define BOT_VIEW ((const uint8_t *)bot_hidden.view_address)

enum cost {
#define COST(name, key, value, text) COST_##name = (value),
#include "instrument/cost.def"
};

/* Where a kind of system work is counted. */
typedef volatile uint64_t HIDDEN *bot_charge;

/* The return address of the running function: where charged code called it. */
#define BOT_CALLER ((uint64_t)__builtin_return_address(0))

/* Notes why, wakes the runner and leaves the process. */
_Noreturn void bot_leave(enum page_end end, int32_t code, uint64_t ip);

/* Before PAGE_READY: notes the step that failed and leaves. */
_Noreturn void bot_fail(enum page_step step, long result);

/* Takes `price` from what remains and stops the bot if that was too much. */
void bot_pay(uint64_t price, bot_charge charge, uint64_t ip);

/* count.c. A turn has been granted; it has ended or the process ends: what
 * remains is exact in between, and the counters are true. */
void bot_count_open(void);
void bot_count_close(void);
/* Instructions of all turns so far, where the code has counted all it did. */
uint64_t bot_count(void);
/* Leaves (PAGE_END_METER) if what two placements count is not the same. */
void bot_count_compare(uint64_t ip);
/* From count_TARGET.S: a check or site needs more than it was given. */
void bot_refuel(uint64_t ip);

/* COST's base + word * ceil(bytes / 8), clamped to 2^61. */
static inline uint64_t bot_price(uint64_t base, uint64_t word, uint64_t bytes)
{
    uint64_t words = (bytes >> 3) + ((bytes & 7) != 0);
    uint64_t most = (uint64_t)1 << 61;

    return words > most / word - base ? most : base + word * words;
}

/* Ends the turn: publishes it and waits until another one is granted. */
void bot_ask(uint64_t ip);

/* Waits until another turn than `turn` is granted. */
void bot_wait(uint32_t turn);

/* Leaves (PAGE_END_PROTOCOL) if the bot wrote on the words of its turn. */
void bot_check_words(uint64_t ip);

/* Sets up hidden.heap_*, stack_*; charges data; turn 0 has been granted. */
void bot_open_memory(void);
uint64_t bot_arena_bytes(const struct page_start *start);

/* Installs the handlers of faults on an alternate stack of `bytes` at `stack`,
 * hidden memory. 0, or a negative errno. */
long bot_catch_faults(uint64_t stack, uint64_t bytes);

/* start_TARGET.S calls these, in this order. */
uint64_t bot_prepare(void); /* on the kernel's stack: the native stack's top */
void bot_enter(void);       /* on the native stack, until turn 0 is granted */

/* Leaves nothing of the kernel's in the address space (seal.c). */
void bot_unmap_rest(void);
/* From here on only the calls of syscalls.def are left. */
void bot_load_filter(void);
