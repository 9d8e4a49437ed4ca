#!/usr/bin/env bash
# Programs that never end are stopped, whatever their budget, at most 4,096
# instructions late, and at the same one again (contract 3).
cd "$(dirname "$0")/../.." && . tests/tap.sh

ways=(empty changing irreducible computed missed rounds level69 jumping
    straight through_pointer sorting writing tail_calls)

play() { # WAY LIMIT: verdict and the counts of turns 0 and 1
    echo "$1" >"$scratch/input"
    timeout 100 "$bout" count "$scratch/endless.bot" --input "$scratch/input" \
        --limit "$2" --json |
        jq -r '[.verdict] + [.turns[].instructions] | join(" ")'
}

ok "it builds" "$bout" build tests/meter/endless/endless.c \
    -o "$scratch/endless.bot"
read -r _ start _ < <(play 0 1000000)
for way in "${!ways[@]}"; do
    for budget in 1 1000 1000000; do
        said=$(play "$way" $((start + budget)))
        read -r verdict _ count <<<"$said"
        late=$((count - budget))
        # Reading the number is refused by its price where it is too dear.
        [ "$budget" -gt 1 ] || late=$((late > 0 ? 1 : 0))
        [ "$verdict" = budget ] && [ "$late" -ge 1 ] && [ "$late" -le 4096 ]
        tap_report $? "${ways[way]} stops in time with $budget" "$said"
        is "${ways[way]} stops there again with $budget" "$said" \
            "$(play "$way" $((start + budget)))"
    done
done
# Long runs, of the ways that are quickest and those that are deepest.
for way in 0 2 5 6; do
    said=$(play "$way" $((start + 1000000000)))
    read -r verdict _ count <<<"$said"
    late=$((count - 1000000000))
    [ "$verdict" = budget ] && [ "$late" -ge 1 ] && [ "$late" -le 4096 ]
    tap_report $? "${ways[way]} stops in time with 10^9" "$said"
done
tap_done
