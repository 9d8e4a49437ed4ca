#!/usr/bin/env bash
# Two placements in one module: the reference's, a counter in every block, and
# the chords'. The runtime compares their counts at every turn's end, stop,
# longjmp, exit and abort; `bout profile` every block's executions. A
# disagreement is a failure of ours: exit code 3.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/programs/folder.sh

ok "the library is charged in both ways" \
    instrument/library/build.sh "$BUILD/library-both" "$BUILD/bout-meter" both
export BOUT_LIBRARY=$BUILD/library-both BOUT_CACHE=$scratch/cache TARGETS=x86_64

programs c 30

# Stops: at any budget, in the middle of anything.
ok "the endless program builds" "$bout" build tests/meter/endless/endless.c \
    -o "$scratch/endless.bot"
for way in 0 2 3 5 6 7 8 9 10 11 12; do
    echo "$way" >"$scratch/input"
    failed=
    for limit in 9000 12345 20000 77777 1000000; do
        timeout 60 "$bout" profile "$scratch/endless.bot" --limit "$limit" \
            --input "$scratch/input" --format csv >/dev/null \
            2>"$scratch/said" || failed="$limit $(cat "$scratch/said")"
    done
    is "way $way stops with equal counts" "" "$failed"
done
tap_done
