#!/usr/bin/env bash
# Batches: 300 matches in one request, all or none; the same seed with the sides
# swapped; users take turns.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

wall=runner/games/tron/sample_wall.c
serve_start --ladder-rate 0
new_user ann
ann=$token
enter_bot hunter tron "$wall"
a=$bot
new_user bob
bob=$token
enter_bot farmer tron runner/games/tron/sample_space.c
b=$bot

# ---- best of ---------------------------------------------------------------------
token=$ann
post /v1/batches "{\"game\":\"tron\",\"bots\":[$a,$b],\"seeds\":[7,\"$(printf 'a%.0s' $(seq 64))\"],\"swap\":true}"
is "two seeds with the sides swapped are four matches" '202 4 4' \
    "$status $(get '"\(.matches|length) \(.counts.queued)"')"
batch=$(get .id)
for _ in 1 2 3 4 5; do
    api GET "/v1/batches/$batch?wait=60"
    [ "$(get .over)" = true ] && break
done
is "they are played" '4' "$(get .counts.finished)"
is "each bot has four games" '4 4' "$(get '[.standings[].games]|join(" ")')"
is "wins, losses and ties add up" true \
    "$(get '.standings|all(.wins + .losses + .ties == .games)')"
api GET "/v1/matches?batch=$batch"
is "they are listed by batch" 4 "$(get '.items|length')"
is "each seed once with each side" "[$a,$b] [$b,$a]" \
    "$(get '[.items[]|select(.seed==7)|.bots]|sort|map(tojson)|join(" ")')"
one=$(get '.items[]|select(.seed==7)|.id' | head -1)
bots=$(get ".items[]|select(.id==$one)|.bots|map(tostring)|join(\",\")")
sha=$(get ".items[]|select(.id==$one)|.replay_sha256")
play_match tron "$bots" '"seed":7'
is "the same match alone is the same, byte for byte" "$sha" "$(get .replay_sha256)"
is "and of no batch" null "$(get .batch)"

# ---- 300 -------------------------------------------------------------------------
kill -STOP $(pgrep -P "$server")
many() { # COUNT BOTS: that many orders, with seeds from 1000
    jq -nc "{matches: [range($1)|{game: \"tron\", bots: $2, seed: (1000 + .)}]}"
}
many 300 "[$a,$b]" >"$scratch/300"
jq -c '.matches[299].bots = [999999, 1]' "$scratch/300" >"$scratch/299"
many 301 "[$a,$b]" >"$scratch/301"
post /v1/batches "@$scratch/299"
is "one wrong order refuses all" 422 "$status"
like "and is named" 'matches/299/bots/0' "$(get '[.errors[].field]|join(" ")')"
post /v1/batches "@$scratch/301"
is "301 are too many" 422 "$status"
post /v1/batches '{"matches":[]}'
is "none is too few" 422 "$status"
post /v1/batches '{"matches":[{"game":"tron","bots":[1,1],"colour":"red"},7]}'
like "what is wrong is named by its place" 'matches/0/colour matches/1/' \
    "$(get '[.errors[].field]|join(" ")')"
api GET '/v1/matches?status=queued'
is "nothing of all that is queued" 0 "$(get '.items|length')"
post /v1/batches "@$scratch/300"
is "300 are taken" '202 300' "$status $(get .counts.queued)"
batch=$(get .id) last=$(get '.matches[299]')

# ---- turns -----------------------------------------------------------------------
# Bob comes when 300 of ann's wait: his first two go in the rounds that are on.
token=$bob
post /v1/matches "{\"game\":\"tron\",\"bots\":[$b,$a],\"seed\":1}"
his=$(get .id)
at=$(get .queue_position)
[ "$at" -le 2 ]
is "a user who comes behind 300 waits for a round, not for all (place $at)" 0 $?
post /v1/matches "{\"game\":\"tron\",\"bots\":[$b,$a],\"seed\":2}"
next=$(get .queue_position)
[ "$next" -le 4 ]
is "his second for two (place $next)" 0 $?
api GET "/v1/matches/$last"
like "and the last of the 300 is last" '^(29[89]|30[0-2])$' "$(get .queue_position)"
api POST /v1/bots -F name=urgent -F game=tron -F "source=@$wall"
is "an upload goes before all of them" '202 1' "$status $(get .queue_position)"
urgent=$(get .id)
curl -sS "$server_site/metrics" >"$scratch/metrics"
like "the age of the oldest is told by lane" 'bout_queue_oldest_seconds\{lane="user"\} [0-9]' \
    "$(cat "$scratch/metrics")"

# ---- cases 81, 83: cancel all, then one new ---------------------------------------
token=$ann
post "/v1/matches/$last/cancel" '{}'
is "one of a batch is cancelled" cancelled "$(get .status)"
left=0
for id in $(api GET "/v1/batches/$batch"; get '.matches[]'); do
    post "/v1/matches/$id/cancel" '{}'
    [ "$status" = 200 ] || left=$((left + 1))
done
is "and then all others" 1 "$left"
post /v1/matches "{\"game\":\"tron\",\"bots\":[$a,$b],\"seed\":5}"
new=$(get .id)
like "what comes next waits behind none of them" '^[1-4]$' "$(get .queue_position)"
kill -CONT $(pgrep -P "$server")
await "/v1/matches/$new"
is "and is played" finished "$(get .status)"
await "/v1/bots/$urgent"
is "so is the upload" ready "$(get .status)"
await "/v1/matches/$his"
is "and bob's match" finished "$(get .status)"
api GET "/v1/batches/$batch"
is "what was cancelled was not played" '300 true' "$(get '"\(.counts.cancelled) \(.over)"')"
is "each cancelled once, none lost" 0 "$(get '.counts.queued + .counts.running + .counts.finished')"
serve_done
tap_done
