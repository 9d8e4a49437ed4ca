#!/usr/bin/env bash
# How `bout serve` is started, what it refuses, and where settings come from.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

refuses() { # TEXT CODE PATTERN OPTION...
    local text=$1 code=$2 pattern=$3 got
    shift 3
    got=$(timeout 20 "$bout" serve --data "$scratch/other" "$@" 2>&1)
    is "$text: exit code" "$code" $?
    like "$text: says what to do" "$pattern" "$got"
}
refuses "PostgreSQL" 3 'scale-out' --database postgresql:///bout
refuses "an open address" 2 'behind-tls' --listen 0.0.0.0:0
refuses "no address" 2 'ADDR:PORT' --listen here
refuses "another registration" 2 'open, invitation or admin' --registration maybe
refuses "no workers" 2 'without a worker nothing' --workers 0
refuses "an unknown option" 2 'help' --colour
echo '{"listen":' >"$scratch/bad.json"
refuses "a config file that is no JSON" 1 'bad.json' \
    --config "$scratch/bad.json"
is "a refused start makes no data" "" "$(ls "$scratch/other" 2>/dev/null)"

serve_start --ladder-rate 0
token=
api GET /healthz
is "it answers" 200 "$status"
refuses "a second server on the same data" 3 'data' --data "$data" \
    --listen 127.0.0.1:0
refuses "a port that is taken" 3 'in use' --listen "${site#http://}"
refuses "a port that is taken, with fresh data" 3 'in use' --listen "${site#http://}" \
    --data "$scratch/fresh"
ok "and made no data before it knew" [ ! -e "$scratch/fresh" ]
api POST /v1/users -H 'Content-Type: application/json' -d '{"name":"bob"}'
is "registration is closed by default" 401 "$status"
first=$(cat "$data/admin.token")
serve_stop INT
is "SIGINT ends it well" 0 "$stopped"

# Flag over environment over file over default.
echo '{"registration": "open", "ladder-rate": 0}' >"$scratch/config.json"
serve_start --config "$scratch/config.json"
is "the admin's token stays" "$first" "$(cat "$data/admin.token")"
api POST /v1/users -H 'Content-Type: application/json' -d '{"name":"bob"}'
is "the file opens registration" 201 "$status"
serve_stop
BOUT_REGISTRATION=admin serve_start --config "$scratch/config.json"
api POST /v1/users -H 'Content-Type: application/json' -d '{"name":"eve"}'
is "the environment is over the file" 401 "$status"
serve_stop
BOUT_REGISTRATION=admin serve_start --config "$scratch/config.json" \
    --registration open
api POST /v1/users -H 'Content-Type: application/json' -d '{"name":"eve"}'
is "the flag is over both" 201 "$status"
serve_stop
serve_start --ladder-rate 0 --registration open --post-rate 1
for _ in $(seq 200); do # one a second is given back: a slow host needs more
    api POST /v1/users -H 'Content-Type: application/json' -d '{}'
    [ "$status" = 422 ] || break
done
is "too many POSTs are refused" 429 "$status"
# One token may be back by now, not one for each of these.
like "and say when to come back" '^Retry-After: [0-9]+' \
    "$(for _ in $(seq 40); do
        curl -sS -i -X POST "$site/v1/users"
    done | grep -i '^retry-after' | head -1)"

# Idle: the issue's bounds.
sleep 1
ticks() {
    awk '{print $14 + $15}' "/proc/$server/stat"
}
before=$(ticks)
sleep 5
spent=$(($(ticks) - before))
is "idle, it takes under 1 % of a core" true \
    "$([ "$spent" -le 5 ] && echo true || echo "$spent ticks in 5 s")"
rss=$(awk '/VmRSS/ {print $2}' "/proc/$server/status")
is "and under 30 MB" true \
    "$([ "$rss" -lt 30720 ] && echo true || echo "$rss kB")"
serve_done
tap_done
