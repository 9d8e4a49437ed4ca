#!/usr/bin/env bash
# connect4's perfect sample: from the empty board every reply is followed, and it
# wins each match that it begins; its dearest known turn is within the budget.
# PERFECT_ALL=1 leaves nothing out (make soak).
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
sample=runner/games/connect4/sample_perfect
ok "the program that proves it builds" "${CC:-cc}" -O2 -I. tests/games/connect4_book.c -o "$scratch/book"
# shellcheck disable=SC2086
said=$(timeout 550 "$scratch/book" check ${PERFECT_ALL:+all} 2>&1 >/dev/null)
is "it wins whatever is replied ($said)" 0 $?
like "which took some looking" '^0 entries, [0-9]{7} positions, ' "$said"

# The proof has to notice a book that lacks something.
mkdir -p "$scratch/short/$sample"
cp $sample/*.h "$scratch/short/$sample"
head -1000 $sample/book.inc >"$scratch/short/$sample/book.inc"
ok "with half of its book" "${CC:-cc}" -O2 -I"$scratch/short" tests/games/connect4_book.c -o "$scratch/half"
said=$(timeout 300 "$scratch/half" check 2>&1 >/dev/null)
is "it is found out" 1 $?
like "and where" 'neither in the book nor found, ply' "$said"

# The dearest of the searches that the proof makes: 15,992 of 16,000 nodes.
cat >"$scratch/view" <<'VIEW'
15 0 7 6
.......
...0...
...11..
.0.00..
.1.101.
.1.010.
VIEW
timeout 100 "$bout" build $sample -o "$scratch/perfect.bot" >/dev/null 2>&1
count=$(timeout 60 "$bout" count "$scratch/perfect.bot" --input "$scratch/view" --json | jq '.turns[1].instructions')
ok "its dearest turn has $count instructions, within 10,000,000" \
    [ $((count > 8000000 && count <= 10000000)) = 1 ]
json=$(timeout 500 "$bout" test "$scratch/perfect.bot" --game connect4 --matches 20 --json \
    --against runner/games/connect4/sample_search.c)
is "no turn of its matches is over the budget, none is in trouble" 'true 0' \
    "$(jq -r '"\(.turn_highest < 10000000) \(.trouble_count)"' <<<"$json")"

tap_done
