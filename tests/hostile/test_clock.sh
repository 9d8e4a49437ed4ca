#!/usr/bin/env bash
# Case 32: somebody sets the system clock while a match runs. Durations are the
# monotonic clock's: however the time of day leaps, the match ends, and its log
# has the same bytes.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
# The time of day as a clock that is set at each look: an hour on, an hour back.
cat >"$scratch/leap.c" <<'C'
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int looks;

__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "time of day: %d looks\n", looks);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    long result = syscall(SYS_clock_gettime, clock, time);

    if (clock == CLOCK_REALTIME)
        time->tv_sec += looks++ % 2 ? 3600 : -3600;
    return (int)result;
}

time_t time(time_t *to)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *now, void *zone)
{
    struct timespec time;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &time);
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return 0;
}
C
"${CC:-gcc}" -O1 -shared -fPIC -o "$scratch/leap.so" "$scratch/leap.c"

play() { # LOG [NAME=VALUE]
    timeout 200 env "${@:2}" "$bout" play tron runner/games/tron/sample_wall.c \
        runner/games/tron/sample_space.c --seed 5 --replay "$1" --json
}

ok "a match with a steady clock" play "$scratch/steady.log"
play "$scratch/leaps.log" "LD_PRELOAD=$scratch/leap.so" >/dev/null \
    2>"$scratch/said"
is "a match with a clock that leaps ends" 0 $?
like "the clock was in place" 'time of day: [0-9]+ looks' \
    "$(cat "$scratch/said")"
ok "its log has the same bytes" cmp "$scratch/steady.log" "$scratch/leaps.log"
# A net by the time of day would fall at the first leap.
like "a bot that computes for ever still meets its budget" '"budget"' \
    "$(timeout 200 env "LD_PRELOAD=$scratch/leap.so" "$bout" play tron \
        tests/hostile/budget_turn.c runner/games/tron/sample_wall.c --seed 5 \
        --json 2>/dev/null | jq -c '.results[0].verdict')"
tap_done
