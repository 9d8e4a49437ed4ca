#!/usr/bin/env bash
# Case 103: bout inside a group that allows less memory than a bot's own limit.
# The doctor says so beforehand; the bot stays under the outer limit; what the
# kernel kills is the bot and not bout, which says that it was not the bot's
# fault. Where the bot's own limit is the lower one, that is its verdict.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
group=
trap 'leave_group; rm -rf "$scratch"' EXIT

leave_group() {
    for _ in $(seq 50); do
        [ -n "$group" ] && [ -d "$group" ] || return 0
        rmdir "$group" 2>/dev/null && return 0
        sleep 0.1
    done
}

make_group() { # BYTES: of either version
    local root
    for root in /sys/fs/cgroup/memory /sys/fs/cgroup; do
        mkdir "$root/bout-outer-$$" 2>/dev/null || continue
        group=$root/bout-outer-$$
        if { echo "$1" >"$group/memory.limit_in_bytes" ||
            echo "$1" >"$group/memory.max"; } 2>/dev/null; then
            echo "$1" 2>/dev/null >"$group/memory.memsw.limit_in_bytes"
            echo 0 2>/dev/null >"$group/memory.swap.max"
            return 0
        fi
        rmdir "$group"
        group=
    done
    return 1
}

inside() { # COMMAND...
    # shellcheck disable=SC2016
    timeout 120 sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$@"
}

if ! make_group $((160 << 20)) 2>/dev/null; then
    skip "an outer limit of memory" "no memory cgroup of ours can be made here"
    tap_done
    exit
fi
cat >"$scratch/heap.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    getchar();
    for (;;) {
        char *volatile piece = malloc(1 << 20);
        memset(piece, 1, 1 << 20);
    }
}
C
cp runner/games/tron/sample_wall.c "$scratch/wall.c"
for bot in heap wall; do
    timeout 120 "$bout" build "$scratch/$bot.c" -o "$scratch/$bot.bot" \
        >/dev/null 2>&1
done
# The referee is built and kept by a first match.
timeout 120 "$bout" play tron "$scratch/wall.bot" "$scratch/wall.bot" --seed 1 \
    >/dev/null 2>&1

like "the doctor sees the group's limit" \
    'memory +a control group allows 160 MiB, less than the [0-9]+ MiB' \
    "$(inside "$bout" doctor 2>&1)"

play() { # LIMIT...
    inside "$bout" play tron "$scratch/heap.bot" "$scratch/wall.bot" --seed 1 \
        "$@" --json 2>"$scratch/said"
}
is "a limit of its own below the outer one is the verdict" memory \
    "$(play --limit memory_bytes=33554432 | jq -r '.results[0].verdict')"

play --limit memory_bytes=1073741824 --limit turn_soft=1000000000 \
    >"$scratch/document"
is "over the outer one the match is not played" 3 $?
is "and has no result" "" "$(cat "$scratch/document")"
like "bout lives and says who was killed" \
    'turn 1, slot 0: it was killed from outside' "$(cat "$scratch/said")"
is "nobody stays behind" "" "$(cat "$group/cgroup.procs")"
tap_done
