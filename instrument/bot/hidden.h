/* hidden: how each target reaches the hidden page (page.h, struct page_hidden).
 *
 * No pointer to it stands in memory that the bot can read; only a register that
 * no compiled code writes has its address:
 *
 *     x86_64   the FS base. An operand is `%fs:offset(%rip)`, so the address is
 *              in no general register at any time. Not the GS base: the kernel
 *              swaps it in a way of its own at each change of process, by a
 *              hypercall where the machine is paravirtual, and a turn costs
 *              half as much again.
 *     aarch64  TPIDR_EL0, the thread register, which nothing else uses: bots
 *              have no threads. A general register would have to be kept free
 *              in all code, and the scan would have to know of each instruction
 *              what it writes; TPIDR_EL0 is written by one instruction only.
 *              Code reads it into a register; spills lie on the native stack,
 *              which no bot can read either.
 *
 * For the runtime: `bot_hidden` is the struct, HIDDEN qualifies what a pointer
 * into it points to, bot_hidden_at turns an offset into such a pointer. For
 * charged code, meter/hidden.h does the same to globals of address space 257.
 */
#pragma once

#include "instrument/bot/page.h"

#include <stdint.h>

#if defined(__x86_64__)
#define HIDDEN __seg_fs

/* Absolute symbol 0 (start_x86_64.S). Volatile: the runner and charged code
 * change it behind the compiler's back. */
extern volatile struct page_hidden HIDDEN bot_hidden;

static inline volatile void HIDDEN *bot_hidden_at(uint64_t offset)
{
    return (volatile void HIDDEN *)offset;
}
#elif defined(__aarch64__)
#define HIDDEN
#define bot_hidden (*(volatile struct page_hidden *)__builtin_thread_pointer())

static inline volatile void HIDDEN *bot_hidden_at(uint64_t offset)
{
    return (volatile uint8_t *)__builtin_thread_pointer() + offset;
}
#else
#error "no bots on this processor"
#endif

/* Sets the register: 0, or a negative errno. */
long bot_hidden_set(uint64_t address);
