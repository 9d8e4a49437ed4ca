#!/usr/bin/env bash
# A match is counted, not timed: whatever is done to the machine around it, its
# log has the same bytes. Cases 23, 24 and 26 of what went wrong elsewhere: a
# frozen runner, a throttled one, neighbours that take processor and memory.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
helpers=()
stop_helpers() {
    [ ${#helpers[@]} -eq 0 ] || kill "${helpers[@]}" 2>/dev/null
    wait "${helpers[@]}" 2>/dev/null
    helpers=()
}
trap 'stop_helpers; rm -rf "$scratch"' EXIT

# A sample that thinks for a while, so that there are turns to disturb.
sed 's/int choice = facing;/&\nfor (volatile int i = 0; i < 200000; i++)\n;/' \
    runner/games/tron/sample_wall.c >"$scratch/thinker.c"

build() { # SOURCE NAME
    timeout 120 "$bout" build "$1" -o "$scratch/$2.bot" >/dev/null 2>&1
}

play() { # LOG [PREFIX...]
    local log=$1
    shift
    timeout 300 "$@" "$bout" play tron "$scratch/thinker.bot" \
        "$scratch/space.bot" --seed 11 --replay "$log" >"$scratch/said" 2>&1
}

same() { # TEXT LOG: equal bytes
    ok "$1" cmp "$scratch/quiet.log" "$2"
}

ok "the bots build" build "$scratch/thinker.c" thinker
build runner/games/tron/sample_space.c space
ok "a match in peace" play "$scratch/quiet.log"
ok "it has turns enough to disturb" test \
    "$(wc -l <"$scratch/quiet.log")" -gt 8

# 23: the runner stands still for 50 ms again and again, in the midst of turns.
play "$scratch/frozen.log" &
player=$!
freezes=0 tries=0
while kill -0 $player 2>/dev/null && [ $tries -lt 400 ]; do
    # below the function's shell: timeout, then the runner
    runner=$(pgrep -x bout -P "$(pgrep -d , -P "$player")" 2>/dev/null)
    tries=$((tries + 1))
    [ -z "$runner" ] || ! kill -STOP "$runner" 2>/dev/null ||
        freezes=$((freezes + 1))
    sleep 0.05
    [ -z "$runner" ] || kill -CONT "$runner" 2>/dev/null
    sleep 0.02
done
wait $player
ok "it was frozen at least once" test $freezes -gt 0
same "a runner that is stopped again and again" "$scratch/frozen.log"

# Two hogs on each processor.
for cpu in $(seq 0 $(($(nproc) - 1))); do
    for _ in 1 2; do
        taskset -c "$cpu" timeout 300 sh -c 'while :; do :; done' &
        helpers+=($!)
    done
done
play "$scratch/hogs.log"
stop_helpers
same "hogs on every processor" "$scratch/hogs.log"

# 26: a neighbour that writes over 400 MB again and again.
cat >"$scratch/thrash.c" <<'C'
#include <stdlib.h>
#include <string.h>
int main(void)
{
    size_t size = 400u << 20;
    char *memory = malloc(size);
    for (int i = 0; memory; i++)
        memset(memory, i, size);
    return 1;
}
C
"${CC:-gcc}" -O1 -o "$scratch/thrash" "$scratch/thrash.c"
timeout 300 "$scratch/thrash" &
helpers+=($!)
play "$scratch/thrash.log"
stop_helpers
same "a neighbour that thrashes memory" "$scratch/thrash.log"

# 24: a fifth of a processor.
group=
for root in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
    mkdir "$root/bout-test-$$" 2>/dev/null || continue
    if { echo 20000 >"$root/bout-test-$$/cpu.cfs_quota_us" ||
        echo "20000 100000" >"$root/bout-test-$$/cpu.max"; } 2>/dev/null; then
        group=$root/bout-test-$$
        break
    fi
    rmdir "$root/bout-test-$$"
done
if [ -n "$group" ]; then
    # shellcheck disable=SC2016
    play "$scratch/slow.log" sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' \
        "$group"
    same "a fifth of a processor" "$scratch/slow.log"
    for _ in $(seq 50); do
        rmdir "$group" 2>/dev/null && break
        sleep 0.1
    done
else
    skip "a fifth of a processor" "no cgroup of ours can be made here"
fi
tap_done
