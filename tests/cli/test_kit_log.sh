#!/usr/bin/env bash
# The contestant's kit on a match log: bout why, watch, debug.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
tron=runner/games/tron
wall=$scratch/wall.bot space=$scratch/space.bot
timeout 100 "$bout" build $tron/sample_wall.c -o "$wall" >/dev/null 2>&1
timeout 100 "$bout" build $tron/sample_space.c -o "$space" >/dev/null 2>&1
mistake() { # TEXT CODE PATTERN ARGUMENT...
    said=$(timeout 60 "$bout" "${@:4}" 2>&1)
    is "$1: exit code" "$2" $?
    like "$1: says why" "$3" "$said"
}

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
timeout 100 "$bout" play tron runner/games/tron/sample_wall.c runner/games/tron/sample_space.c --seed 3 \
    --replay "$scratch/log" --json >"$scratch/lost" 2>/dev/null
loser=$(jq '.results | map(select(.rank == 2))[0].slot' "$scratch/lost")
like "why: an ordinary loss, who won it and when" \
    "lost by the game itself, not by a fault: slot $((1 - loser)) won with score [0-9-]+ to its [0-9-]+, in turn $(jq .turns "$scratch/lost")\." \
    "$(timeout 20 "$bout" why "$scratch/log" --json | jq -r ".slots[$loser].advice[0]")"
like "and how near its limits it was" 'dearest turn, [0-9]+, used [0-9.]+ % of turn_soft' \
    "$(timeout 20 "$bout" why "$scratch/log" --json | jq -r ".slots[$loser].advice[1]")"
is "the winner is told nothing" '[]' \
    "$(timeout 20 "$bout" why "$scratch/log" --json | jq -c ".slots[$((1 - loser))].advice")"
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
play tron $tron/starter.c $tron/starter.cpp --seed 4
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
    like "debug stops slot $slot in turn 7, in its source" 'turn 7 has been read:.*starter\.c(pp)?:[0-9]+' "$(tr '\n' ' ' <<<"$said")"
    like "and turns 1 to 6 were played before" 'turn 6: ' "$said"
    ok "and turn 7 was not" bash -c "! grep -q 'turn 7: ' <<<'${said//\'/}'"
done

tap_done
