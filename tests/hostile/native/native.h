/* native: what a raw bot may use. Such a bot is compiled natively, without
 * bout-meter, so that the jail itself is tried: what the toolchain would refuse
 * must still get nowhere. The first comment of each says its verdict, as
 * `expect: WORD [CODE] [DETAIL]`, of turn 1 unless it says `turn 0`. */
#pragma once

#include "instrument/bot/page.h"
#include "instrument/bot/plan.h"
#include "instrument/bot/runtime.h"

#include <asm/unistd.h>
#include <stddef.h>
#include <stdint.h>

void __bout_main(void);

/* As bout-meter would define it: such a bot takes off what remains itself. */
const struct bot_plan __bout_plan = {.placement = PLAN_REFERENCE};

#define IO ((volatile struct page_io *)PAGE_IO_ADDRESS)

/* Waits for turn 1 and takes its whole view (at most 255 bytes). */
static inline char *await_turn(void)
{
    static char view[256];
    long size = __bout_read(view, sizeof view - 1);

    view[size < 0 ? 0 : size] = '\0';
    return view;
}

static inline size_t length(const char *text)
{
    size_t size = 0;

    while (text[size])
        size++;
    return size;
}

static inline void print(const char *text)
{
    __bout_write(1, text, length(text));
}

static inline long call_6(long number, long a, long b, long c, long d, long e)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = 0;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                       "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

/* What charged code does at the head of a block. */
static inline void charge(int64_t instructions)
{
    __asm__ volatile("subq %0, %%fs:0\n\tjns 1f\n\tcall __bout_stop\n1:"
                     :
                     : "r"(instructions)
                     : "memory", "cc");
}
