#include "runner/jail/pace.h"

/* What a turn may take that is on time: two context switches and what else a
 * loaded machine adds, and slow instructions. */
#define PACE_TURN_NS 60000u
#define PACE_INSTRUCTION_NS 2u

/* Who yielded beside a hog is behind it for some time slices more: long pauses,
 * or the trials alone would cost more than they can win. */
#define PACE_PAUSE_FIRST_NS UINT64_C(1000000000)
#define PACE_PAUSE_LAST_NS UINT64_C(64000000000)
#define PACE_GOOD_COUNT 100000u /* and the past is forgotten */

bool pace_yields(const struct pace *pace, uint64_t now_ns)
{
    return now_ns >= pace->asleep_until_ns;
}

static uint64_t next_pause_ns(uint64_t pause_ns)
{
    if (pause_ns == 0)
        return PACE_PAUSE_FIRST_NS;
    return pause_ns < PACE_PAUSE_LAST_NS ? pause_ns * 2 : pause_ns;
}

void pace_note(struct pace *pace, uint64_t now_ns, uint64_t wall_ns,
               uint64_t instructions)
{
    if (wall_ns < PACE_TURN_NS ||
        (wall_ns - PACE_TURN_NS) / PACE_INSTRUCTION_NS < instructions) {
        if (++pace->good_count >= PACE_GOOD_COUNT)
            pace->pause_ns = 0;
        return;
    }
    pace->good_count = 0;
    pace->pause_ns = next_pause_ns(pace->pause_ns);
    pace->asleep_until_ns = now_ns + pace->pause_ns;
}
