#!/usr/bin/env bash
# Server-sent events: what changes is told, with ids to go on from.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

wall=runner/games/tron/sample_wall.c
serve_start --ladder-rate 0
new_user ann
listen() { # FILE QUERY [CURL OPTION]...
    local to=$1 query=$2
    shift 2
    curl -sSN -m 100 "$@" "$server_site/v1/events$query" >"$to" 2>/dev/null &
}
heard() { # FILE PATTERN: within 30 s
    for _ in $(seq 300); do
        grep -qE -- "$2" "$1" && return 0
        sleep 0.1
    done
    return 1
}
listen "$scratch/all" ''
all=$!
ok "a stream is open at once" heard "$scratch/all" '^retry: 2000'
enter_bot hunter tron "$wall"
ok "a bot's way is told" heard "$scratch/all" "^data: \{\"bot\":$bot,\"status\":\"ready\",\"url\":\"/v1/bots/$bot\"\}"
play_match tron "$bot,$bot"
ok "and a match's" heard "$scratch/all" "^data: \{\"match\":$match,\"status\":\"finished\",\"url\":\"/v1/matches/$match\"\}"
is "every event has its kind and its id" "$(grep -c '^data:' "$scratch/all")" \
    "$(grep -cE '^id: [0-9]+-[0-9]+$' "$scratch/all")"
is "ids go up by one" '' "$(sed -n 's/^id: [0-9]*-//p' "$scratch/all" |
    awk 'NR > 1 && $1 != last + 1 {print last, $1} {last = $1}')"

# ---- cut off and back ---------------------------------------------------------------
kill "$all"
wait "$all" 2>/dev/null
last=$(sed -n 's/^id: //p' "$scratch/all" | tail -1)
play_match tron "$bot,$bot"
missed=$match
listen "$scratch/again" '' -H "Last-Event-ID: $last"
ok "a client that comes back hears what it missed" heard "$scratch/again" \
    "\"match\":$missed,\"status\":\"finished\""
is "and nothing twice" '' "$(sed -n 's/^id: //p' "$scratch/all" "$scratch/again" | sort | uniq -d)"
is "nor is it told that it missed any" '' "$(grep reset "$scratch/again")"
listen "$scratch/lost" '?seconds=2' -H 'Last-Event-ID: 1-1'
ok "an id of another run: reset" heard "$scratch/lost" '^event: reset'
listen "$scratch/odd" '?seconds=2' -H 'Last-Event-ID: <script>'
ok "so is nonsense" heard "$scratch/odd" '^event: reset'

# ---- of one match --------------------------------------------------------------------
api POST /v1/matches -H 'Content-Type: application/json' \
    -d "{\"game\":\"tron\",\"bots\":[$bot,$bot],\"seed\":1}"
one=$(get .id)
listen "$scratch/one" "?match=$((one + 1))"
sleep 0.3
play_match tron "$bot,$bot"
await "/v1/matches/$one"
ok "one match's events" heard "$scratch/one" "\"match\":$((one + 1)),\"status\":\"finished\""
is "and no other's" '' "$(grep '^data' "$scratch/one" | grep -v "\"match\":$((one + 1)),")"
api GET "/v1/events?seconds=1"
is "?seconds= ends a stream" 200 "$status"
api GET "/v1/events?seconds=0"
is "but not at once" 400 "$status"

# ---- the end -------------------------------------------------------------------------
for n in $(seq 50); do
    listen "$scratch/many$n" ''
done
for n in $(seq 50); do heard "$scratch/many$n" retry || echo "# stream $n is silent"; done
play_match tron "$bot,$bot"
deaf=0
for n in $(seq 50); do
    heard "$scratch/many$n" "\"match\":$match,\"status\":\"finished\"" || deaf=$((deaf + 1))
done
is "fifty listeners hear of a match" 0 "$deaf"
serve_stop
is "the service stops with its streams open" 0 "$stopped"
serve_done
tap_done
