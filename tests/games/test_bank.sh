#!/usr/bin/env bash
# The time bank: a bot saves in cheap turns, spends in a dear one, is skipped
# once it has nothing left, and is stopped at turn_hard and what it saved; here
# and at the service, verified, and in the profile of the turn that was stopped.
cd "$(dirname "$0")/../.." && . tests/tap.sh
. tests/api/serve.sh

export BOUT_CACHE=$scratch/cache
saver=tests/games/bank/saver.c wander=runner/games/skirmish/sample_wander.c
limits=(--limit turn_soft=1000000 --limit turn_bank=2000000)

is "bout games tells the bank" 20000000 \
    "$(timeout 100 "$bout" games --json | jq '.items[] | select(.name == "skirmish").turn_bank')"

# rows [OPTION]...: "turn status" of the saver's turns; the log is in $scratch/log.
rows() {
    timeout 100 "$bout" play skirmish "$saver" "$wander" --seed 5 "$@" --replay "$scratch/log" \
        --json >"$scratch/json" 2>&1
    jq -r 'select(.slots and .turn > 0) | .turn as $turn | .slots[] | select(.slot == 0) |
        "\($turn) \(.status)"' "$scratch/log" | xargs
}
is "with a bank: spent, then skipped, then stopped" \
    '1 ok 2 ok 3 ok 4 skipped 5 ok 6 ok 7 stopped' "$(rows "${limits[@]}")"
is "the log's head has the limit" 2000000 "$(head -1 "$scratch/log" | jq .limits.turn_bank)"
detail=$(jq -r '.results[0].detail' "$scratch/json")
like "the stop says what was saved" '^over turn_hard of 3000000 and 19[0-9]{5} saved$' "$detail"
saved=$(grep -oE '[0-9]+ saved' <<<"$detail" | cut -d' ' -f1)
count=$(jq 'select(.turn == 7) | .slots[0].instructions' "$scratch/log")
ok "and comes there ($count)" [ $((count > 3000000 + saved && count <= 3004096 + saved)) = 1 ]
ok "the match is verified" timeout 100 "$bout" replay "$scratch/log" --verify "$saver" "$wander"
like "why says what a turn may have" 'and what turns before it left' \
    "$(timeout 60 "$bout" why "$scratch/log" | tr -s '\n ' ' ')"
cp "$scratch/log" "$scratch/home.log"
is "lowered to nothing: the dear turn is skipped" \
    '1 ok 2 ok 3 skipped 4 skipped 5 ok 6 ok 7 stopped' \
    "$(rows --limit turn_soft=1000000 --limit turn_bank=0)"
is "and the head does not name it" null "$(head -1 "$scratch/log" | jq .limits.turn_bank)"

# ---- at the service ------------------------------------------------------------
serve_start --ladder-rate 0
new_user ann
api GET /v1/games/skirmish
is "the service's game has it" 20000000 "$(get .limits.turn_bank)"
enter_bot wander skirmish $wander
wanders=$bot
# A smoke match has the game's own limits: the dear turns are not too dear there.
sed 's/1LL << 50/0/' $saver >"$scratch/mild.c"
enter_bot mild skirmish "$scratch/mild.c"
mild=$bot
is "a bot that spends is taken" ready "$(get .status)"
play_match skirmish "$mild,$wanders" '"limits":{"turn_soft":1000000,"turn_bank":2000000,"turns":9},"seed":5'
is "a match with a lowered bank" finished "$(get .status)"
api GET "/v1/matches/$match/turns"
is "the same turns are skipped" '4' \
    "$(get '[.items[] | select(.slot == 0 and .status == "skipped").turn] | join(" ")')"
spent=$(get '.items[] | select(.slot == 0 and .turn == 3).instructions')
ok "a turn spent more than turn_soft ($spent)" [ "$spent" -gt 2800000 ]
api POST "/v1/matches/$match/verify"
for _ in $(seq 60); do
    api GET "/v1/matches/$match"
    [ "$(get .verified)" = null ] || break
    sleep 1
done
is "the service verifies it" true "$(get .verified)"
api GET "/v1/matches/$match/profile?slot=0&turn=3&format=json&wait=60"
is "its profile adds up to the same count" "$spent" "$(get .instructions)"
api POST /v1/matches -H 'Content-Type: application/json' \
    -d "{\"game\":\"skirmish\",\"bots\":[$mild,$wanders],\"limits\":{\"turn_bank\":20000001}}"
like "a bank cannot be raised" 'turn_bank can only be lowered' "$status $body"

serve_stop
serve_done
tap_done
