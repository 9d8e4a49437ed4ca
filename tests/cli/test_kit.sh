#!/usr/bin/env bash
# The contestant's kit: bout new, test, why, watch. A first bot is there in five
# minutes, plays, and the commands tell how it does.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
tron=runner/games/tron
wall=$scratch/wall.bot space=$scratch/space.bot
timeout 100 "$bout" build $tron/sample_wall.c -o "$wall" >/dev/null 2>&1
timeout 100 "$bout" build $tron/sample_space.c -o "$space" >/dev/null 2>&1

# ---- new ---------------------------------------------------------------------
for game in $(ls -d runner/games/*/starter.c | xargs -n1 dirname | xargs -n1 basename); do
    sample=$(ls runner/games/$game/sample_*.c | head -1)
    timeout 100 "$bout" build "$sample" -o "$scratch/$game.bot" >/dev/null 2>&1
    for lang in c c++; do
        dir=$scratch/$game.$lang
        said=$(timeout 20 "$bout" new "$game" --lang $lang "$dir" 2>&1)
        is "new $game in $lang: done" 0 $?
        like "new $game in $lang: says what to do next" "bout test $dir" "$said"
        ok "new $game in $lang: has its rules" test -s "$dir/rules.md"
        timeout 100 "$bout" build "$dir" -o "$dir.bot" >"$scratch/said" 2>&1
        timeout 100 "$bout" play "$game" "$dir.bot" "$scratch/$game.bot" --seed 3 --json \
            --replay "$scratch/$lang.log" >"$scratch/json" 2>"$scratch/said"
        is "new $game in $lang: plays without trouble" 'ok ' \
            "$(jq -r '.results[0] | "\(.verdict) \(.detail)"' "$scratch/json")"
    done
    is "$game: both first bots play the same" 'true true' "$(for lang in c c++; do
        jq -r 'select(.slots) | .turn as $t | .slots[] | select(.slot == 0 and $t > 0) | .reply' \
            "$scratch/$lang.log" >"$scratch/$lang.moves"
        test -s "$scratch/$lang.moves" && cmp -s "$scratch/c.moves" "$scratch/$lang.moves" && echo true
    done | xargs)"
done
mistake() { # TEXT CODE PATTERN ARGUMENT...
    said=$(timeout 60 "$bout" "${@:4}" 2>&1)
    is "$1: exit code" "$2" $?
    like "$1: says why" "$3" "$said"
}
mistake "new over work of somebody's" 1 'is not empty' new tron --lang c "$scratch/tron.c"
mistake "new in Rust" 2 'rust is neither c nor' new tron --lang rust "$scratch/r"
mistake "new for no game" 1 'no game chess' new chess "$scratch/r"
ok "and nothing was made" test ! -e "$scratch/r"

# ---- test --------------------------------------------------------------------
timeout 300 "$bout" test "$scratch/tron.c" --against "$wall" --matches 6 --seed 3 >"$scratch/text" 2>"$scratch/said"
like "test says how it did against each sample" 'wall.bot +6 ' "$(cat "$scratch/text")"
like "and how near the limits it came" 'highest turn +[0-9]+ +[0-9.]+ % of turn_soft' "$(cat "$scratch/text")"
like "and that nothing was wrong" 'No trouble' "$(cat "$scratch/text")"
timeout 300 "$bout" test "$wall" --game tron --against "$wall" -n 10 --json >"$scratch/json"
is "against itself each win is a loss" true \
    "$(jq '.opponents[0] | .matches == 10 and .wins == .losses' "$scratch/json")"
is "a rate of one half has the interval of Wilson" '0.237 0.763' \
    "$(timeout 300 "$bout" test "$wall" --game tron --against "$wall" -n 10 --json |
        jq -r '.opponents[0] | select(.rate == 0.5) | [.low, .high] | map(. * 1000 | round / 1000 | tostring) | join(" ")')"
timeout 100 "$bout" test tests/hostile/crash_null.c --game tron --against "$wall" -n 2 --json >"$scratch/json"
is "a crash is a trouble with its seed, turn and line" 'crash null pointer 1' \
    "$(jq -r '.troubles[0] | "\(.verdict) \(.detail) \(.seed)"' "$scratch/json")"
like "and its place" 'crash_null.c:[0-9]+ in main' "$(jq -r '.troubles[0].place' "$scratch/json")"
mistake "test without a game" 1 'say --game' test "$wall"
mistake "test of nothing" 1 'missing.c' test missing.c --game tron
mistake "no matches" 2 'matches is 1' test "$wall" --game tron -n 0

tap_done
