#!/usr/bin/env bash
# Turn edges (contract 4 and 5): how a bot reads decides when its turn ends. The
# first comment of each bot here says what becomes of it: fine, never (no turn
# has a reply), late (a move comes one turn late) or early. The match's own hint
# and `bout why` name the mistake.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
rival=$scratch/rival.bot
timeout 100 "$bout" build runner/games/tron/sample_wall.c -o "$rival" >/dev/null 2>&1

declare -A hint=(
    [fine]='^none$'
    [never]='turns? without a reply \(it read past the end of its view'
    [late]='turns? without a reply \(it read past the end of its view'
    [early]='2 bytes printed before the first read were ignored'
)
declare -A advice=(
    [fine]='^(none|It lost by the game itself.*(look further ahead|costs most\))\.)$'
    [never]='It never replied in time.*loop until end of input'
    [late]='one late.*white space at the end of a scanf format'
    [early]='before its first read'
)
for bot in tests/edges/*.c tests/edges/*.cpp; do
    name=$(basename "$bot")
    kind=$(sed -nE '1s,^(/\*|//) ([a-z]+):.*,\2,p' "$bot")
    timeout 100 "$bout" play tron "$bot" "$rival" --seed 4 --replay "$scratch/log" \
        --json >"$scratch/json" 2>"$scratch/said"
    is "$name: plays on, its verdict is ok" ok "$(jq -r '.results[0].verdict' "$scratch/json")"
    like "$name: the match's hint ($kind)" "${hint[$kind]:-no such kind}" \
        "$(jq -r '.results[0].detail | if . == "" then "none" else . end' "$scratch/json")"
    like "$name: why names the mistake" "${advice[$kind]:-no such kind}" \
        "$(timeout 20 "$bout" why "$scratch/log" --json | jq -r '.slots[0].advice | join(" ") | if . == "" then "none" else . end')"
done
timeout 20 "$bout" play tron tests/edges/greedy.c "$rival" --seed 4 --replay "$scratch/log" >/dev/null 2>&1
is "a turn without a reply is the pass move, with status empty" empty \
    "$(jq -r 'select(.turn == 1) | .slots[0].status' "$scratch/log")"

tap_done
