/* bound: where a function checks what remains, and what each check stands for.
 *
 * A check is an increment whose sign flag is looked at: the counter of a block
 * or edge, started so far below zero as there is fuel (count.c in the runtime).
 * Between two checks in order of execution, across calls and returns, at most
 * BOUND_MAX instructions are charged. fuel.h has made checks of chords that
 * every cycle passes; here they are made of
 *   - blocks with a call of which nothing is known (through a pointer, or round
 *     a recursion), so that each recursion has one;
 *   - whatever a check-free path of more than BOUND_PATH would pass, or one of
 *     more than BOUND_SUMMARY would leave the function with;
 *   - a block that a longjmp may lead to.
 * Where one block holds so many calls that a check has to stand between them,
 * it is cut there: the caller splits it and asks again.
 *
 * A check's price is what its passing pays for. Let the instructions between
 * two successive checks e and k be w(e, k). Then price = post + credit, and
 *     w(e, k) <= credit(e) + post(k)
 * whatever e and k are, so what is executed never exceeds the prices that were
 * paid by more than BOUND_MAX. post(k) covers what comes from inside k's own
 * loop, and whatever cannot be paid beforehand (from a call's return, or from
 * the function's entry, at which its `tolerance` may be unpaid); credit(e)
 * covers ways from e into other loops and into callees. So a tight loop's check
 * costs little more than the loop's body.
 */
#pragma once

#include "instrument/meter/flow.h"
#include "instrument/meter/loop.h"

#define BOUND_MAX 4096u    /* instructions between two checks: contract 3 */
#define BOUND_BLOCK 2048   /* a dearer block follows a check of its own */
#define BOUND_PATH 512     /* inside a function */
#define BOUND_SUMMARY 128  /* from entry or check to return */
#define BOUND_TOLERANCE 32 /* every function has at least this */
#define BOUND_TOLERATED 64 /* and a check behind the entry this */

/* A place where a block must be cut: before its n-th call, before its first
 * instruction, or not at all: a folded loop that has to check is not folded. */
#define BOUND_BEFORE_ALL UINT32_MAX
#define BOUND_UNFOLD (UINT32_MAX - 1)
struct bound_cut {
    uint32_t block;
    uint32_t call;
};

struct bound {
    struct flow_summary summary;
    struct bound_cut *cut; /* in the order of blocks and calls */
    uint32_t cut_count, cut_capacity;
};

/* What may be said of a function of which nothing is known. */
struct flow_summary bound_unknown(void);

/* After fuel_choose. Makes further blocks and edges checks (is_check,
 * is_forced); if any was, chords and fuel are to be chosen again and it is to
 * be asked again: true. Else, if nothing has to be cut, fills in the prices and
 * the summary; its `stops` is left to the caller. */
bool bound_find(struct bound *bound, struct flow *flow,
                const struct loops *loops);
/* What is forced whatever the chords: before the first choice of them. */
void bound_force(struct flow *flow);
void bound_release(struct bound *bound);
#define auto_bound __attribute__((cleanup(bound_release)))
