/* The runtime's counting (instrument/bot/count.c) in this process: hidden
 * memory of our own behind GS, a plan, and the end of a bot as a longjmp.
 * Include once, before everything else of the runtime's. */
#pragma once

#include <asm/prctl.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* FS is this process's own thread's. */
#undef __seg_fs
#define __seg_fs __seg_gs
#include "instrument/bot/hidden.h"

#define bot_hidden (*(volatile struct page_hidden HIDDEN *)0)

#define COUNT_CHECKS_MAX 4096

#include "instrument/bot/plan.h"

/* struct bot_plan: five words, then the table. */
static uint64_t count_plan[5 + 4 * COUNT_CHECKS_MAX];
#define __bout_plan (*(const struct bot_plan *)count_plan)

#if defined(__clang__)
#include "instrument/bot/count.c"
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-qual"
#include "instrument/bot/count.c"
#pragma GCC diagnostic pop
#endif

/* Below `below`; equal numbers from an equal seed (Marsaglia's xorshift). */
static uint64_t count_seed = 1;
static inline uint64_t count_draw(uint64_t below)
{
    count_seed ^= count_seed << 13;
    count_seed ^= count_seed >> 7;
    count_seed ^= count_seed << 17;
    return count_seed % below;
}

static jmp_buf count_left;
static enum page_end count_end;

void bot_leave(enum page_end end, int32_t code, uint64_t ip)
{
    (void)code, (void)ip;
    count_end = end;
    longjmp(count_left, 1);
}

/* A program of `checks` checks and as many other counters. */
static inline void count_open(uint64_t checks, uint64_t counters)
{
    size_t size =
        PAGE_HIDDEN_COUNTERS + PAGE_COUNTER_BYTES * (2 * checks + counters);
    void *memory = calloc(1, size);

    if (!memory || syscall(SYS_arch_prctl, ARCH_SET_GS, memory) < 0)
        abort();
    memset(count_plan, 0, sizeof count_plan);
    count_plan[0] = PLAN_CHORDS;
    count_plan[1] = checks;
    count_plan[2] = counters;
    count_plan[3] = checks;
    count_plan[4] = 0;
}

static inline void count_release(void)
{
    uint64_t base = 0;

    syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    free((void *)base);
}

/* A pass of check k: `weight` instructions, paid for by `price`. */
static inline void count_set(uint64_t k, uint64_t weight_of, uint64_t price)
{
    uint64_t *word = count_plan + 5;

    word[k] = weight_of;
    word[summed() + __bout_plan.stops + k] = price << 32 | k;
}

/* What charged code does at check k. Returns 1 if that took the slow path. */
static inline int count_pass(uint64_t k)
{
    count_word counter = words() + k;

    if ((int64_t)++ * counter < 0)
        return 0;
    bot_hidden.check = PAGE_HIDDEN_COUNTERS + 8 * (summed() + k);
    bot_refuel(0);
    return 1;
}
