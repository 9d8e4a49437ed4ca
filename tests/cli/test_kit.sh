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
        timeout 300 "$bout" test "$dir" --against "$scratch/$game.bot" -n 2 --json >"$scratch/json" 2>"$scratch/said"
        is "new $game in $lang: plays without trouble" 0 "$(jq .trouble_count "$scratch/json")"
    done
    is "$game: both first bots play the same" 'true true' "$(for lang in c c++; do
        timeout 100 "$bout" play $game "$scratch/$game.$lang" "$scratch/$game.bot" --seed 3 \
            --replay "$scratch/$lang.log" >/dev/null 2>&1
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
timeout 300 "$bout" test "$scratch/tron.c" --matches 6 --seed 3 >"$scratch/text" 2>"$scratch/said"
like "test says how it did against each sample" 'sample_wall.c +6 ' "$(cat "$scratch/text")"
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

# ---- why ---------------------------------------------------------------------
why() { # NAME: what is said about a hostile bot's end
    timeout 100 "$bout" play tron "tests/hostile/$1.c" "$wall" --seed 7 \
        --replay "$scratch/log" >/dev/null 2>&1
    timeout 20 "$bout" why "$scratch/log" --json | jq -r '.slots[0].advice | join(" ")'
}
like "why: a budget" 'Bound the work' "$(why budget_turn)"
like "why: start-up" 'Turn 0 is all' "$(why budget_start)"
like "why: memory" 'over the limit' "$(why memory_heap)"
like "why: a stack" 'recursion' "$(why stack)"
like "why: a null pointer" 'is NULL was followed' "$(why crash_null)"
like "why: a division" 'Test the divisor' "$(why crash_divide)"
like "why: an abort" 'assert failed' "$(why crash_abort)"
like "why: an exit" 'compare the reads' "$(why exit_silent)"
like "why: an illegal move" 'exactly what rules.md' "$(why illegal)"
like "why: output" 'A reply is a line' "$(why output_flood)"
like "why: skipped turns" 'moves did not count' "$(why skipped)"
like "why tells the turn in words" 'It went out in turn [0-9]+ of' \
    "$(why illegal >/dev/null; timeout 20 "$bout" why "$scratch/log")"
mistake "why of no log" 1 'match log, line 1' why $tron/rules.md

# ---- watch -------------------------------------------------------------------
play() { timeout 100 "$bout" play "$@" --replay "$scratch/log" >/dev/null 2>&1; }
play tron "$space" "$wall" --seed 5
turns=$(($(wc -l <"$scratch/log") - 3))
timeout 60 "$bout" watch "$scratch/log" >"$scratch/film"
is "watch shows the start and every step" $((turns + 1)) "$(grep -c '^tron, seed 5: turn' "$scratch/film")"
is "a picture is the grid of the game" 20 \
    "$(timeout 60 "$bout" watch "$scratch/log" --from 3 --to 3 | grep -cE '^  [.#01]{30}$')"
is "its cells are those of the view" \
    "$(jq -r 'select(.turn == 4) | .slots[0].view' "$scratch/log" | tail -n +4 | sed '/^$/d')" \
    "$(timeout 60 "$bout" watch "$scratch/log" --from 3 --to 3 | grep -E '^  [.#01]{30}$' | cut -c3-)"
like "--view shows what a bot saw" '^2 1 30 20 2' "$(timeout 60 "$bout" watch "$scratch/log" --view 1 --from 2 --to 2)"
for bot in exit_after_move illegal_late exit_start skipped crash_null; do
    play tron tests/hostile/$bot.c "$wall" "$wall" --seed 7
    ok "a match in which a bot does $bot is watched to its end" timeout 60 "$bout" watch "$scratch/log"
done
play connect4 runner/games/connect4/sample_search.c runner/games/connect4/sample_random.c --seed 2
like "connect4 is drawn" '^  [.01]{7}$' "$(timeout 60 "$bout" watch "$scratch/log")"
play tron "$space" "$space" --seed 8 --limit match_log_bytes=30000
mistake "a log that was cut" 1 'keeps hashes only' watch "$scratch/log"
mistake "a slot that there is not" 2 'slots 0 to 1' watch "$scratch/log" --view 2

# ---- debug -------------------------------------------------------------------
play tron "$scratch/tron.c" "$scratch/tron.c++" --seed 4
is "debug --print gives what the bot read" \
    "$(jq -j 'select(.turn >= 1 and .turn <= 3) | .slots[1].view' "$scratch/log" | sha256sum)" \
    "$(timeout 60 "$bout" debug "$scratch/log" --slot 1 --turn 3 --print | sha256sum)"
mistake "debug of a turn that there is not" 2 'there are turns 1 to' debug "$scratch/log" --turn 9999
for slot in 0 1; do
    said=$(timeout 200 "$bout" debug "$scratch/log" --turn 7 --slot $slot --batch 2>&1)
    if grep -q 'ptrace: Operation not permitted' <<<"$said"; then
        skip "debug stops slot $slot in turn 7" "this machine forbids gdb to trace"
        continue
    fi
    like "debug stops slot $slot in turn 7, in its source" 'turn 7 has been read:.*bot\.c(pp)?:[0-9]+' "$(tr '\n' ' ' <<<"$said")"
    like "and turns 1 to 6 were played before" 'turn 6: ' "$said"
    ok "and turn 7 was not" bash -c "! grep -q 'turn 7: ' <<<'${said//\'/}'"
done

tap_done
