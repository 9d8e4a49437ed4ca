/* pace: whether a runner that waits for an answer yields before it sleeps.
 *
 * A runner that yields lets the bot run at once and need not be woken: a turn
 * costs three system calls in place of four. But where another process wants
 * the same processor, who yields waits for that one's whole time slice. So a
 * turn that took much longer than its instructions can account for makes the
 * runner sleep for a while, longer each time that it happens again. It decides
 * about time alone, never about a count or a verdict.
 * Source: sched_yield(2), futex(2).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pace {
    uint64_t asleep_until_ns; /* clock_mono_ns */
    uint64_t pause_ns;        /* of the last pause */
    unsigned good_count;      /* turns on time since then */
};

bool pace_yields(const struct pace *pace, uint64_t now_ns);

/* Of a turn for which the runner yielded. */
void pace_note(struct pace *pace, uint64_t now_ns, uint64_t wall_ns,
               uint64_t instructions);
