#!/usr/bin/env bash
# What a bot asks of the kernel once its filter is loaded is in syscalls.def:
# seen from outside, by strace, over a whole match.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
if ! strace -o /dev/null true 2>/dev/null; then
    skip "calls of a bot" "strace may not trace here"
    tap_done
    exit
fi
timeout 300 strace -f -o "$scratch/calls" "$bout" play tron \
    runner/games/tron/sample_wall.c runner/games/tron/sample_space.c --seed 3 \
    >/dev/null 2>&1
# "PID call(...": what follows a process's own filter and has another name.
seen=$(awk '
    $2 ~ /^seccomp\(SECCOMP_SET_MODE_FILTER/ && / = 0$/ {
        bot[$1] = 1; next
    }
    $1 in bot && match($2, /^[a-z_0-9]+\(/) {
        count++
        name = substr($2, 1, RLENGTH - 1)
        if (name != "futex" && name != "exit_group") other[name]++
    }
    END {
        printf "%s", (count > 100) ? "many calls" : "few calls: " count + 0
        for (name in other) printf ", %s", name
    }' "$scratch/calls")
is "only futex and exit_group" "many calls" "$seen"
tap_done
