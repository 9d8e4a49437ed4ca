#!/usr/bin/env bash
# kill -9 of workers and server, many times, in matches of milliseconds: equal
# inputs still give equal logs, ratings count each rated match once, and of the
# whole tree of processes (worker, zygote, bots) nothing is left.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

# A sample bot that thinks for a while, so that a kill falls into a match.
sed 's/int x = 0, y = 0, facing = 0;/&\
        for (volatile unsigned i = 0; i < 500000; i++)\
            ;/' runner/games/tron/sample_wall.c >"$scratch/slow.c"

below() { # PID: it and all processes below it
    local all=$1 found=$1
    while [ -n "$found" ]; do
        found=$(pgrep -P "$(echo $found | tr ' ' ',')" | tr '\n' ' ')
        all="$all $found"
    done
    echo $all
}

gone() { # PID...: within two seconds
    for _ in $(seq 40); do
        kill -0 "$@" 2>/dev/null || return 0
        sleep 0.05
    done
    ps -o pid,ppid,stat,args -p "$(echo "$@" | tr ' ' ',')"
    return 1
}

serve_start --ladder-rate 60
new_user kill
for name in first second; do
    enter_bot "$name" tron "$scratch/slow.c"
    is "the bot $name is ready" ready "$(get .status)"
    eval "$name=$bot"
done

# A worker without its zygote cannot play: it ends before it takes any work.
for worker in $(pgrep -P "$server"); do
    kill -9 $(pgrep -P "$worker")
done

# Each seed twice.
ids=
for seed in 1 1 2 2 3 3 4 4 5 5 6 6; do
    api POST /v1/matches -H 'Content-Type: application/json' -d \
        "{\"game\":\"tron\",\"bots\":[$first,$second],\"seed\":$seed}"
    ids="$ids $(get .id)"
done

# Twice only: a match that loses all its three attempts fails.
for round in 1 2; do
    sleep 0.4
    worker=$(pgrep -P "$server" | sed -n "${round}p")
    under=$(below "$worker")
    kill -9 "$worker"
    ok "nothing is left of a killed worker" gone $under
done
for rate in 60 60 60 0; do
    sleep 0.4
    under=$(below "$server")
    serve_stop KILL
    ok "nothing is left of a killed server" gone $under
    serve_start --ladder-rate "$rate"
done

set -- $ids
while [ $# -gt 1 ]; do
    await "/v1/matches/$1"
    one=$(get '"\(.status) \(.replay_sha256)"')
    await "/v1/matches/$2"
    is "matches $1 and $2 have one log" "$one" \
        "$(get '"\(.status) \(.replay_sha256)"')"
    like "and it is that of a finished match" '^finished [0-9a-f]{64}$' "$one"
    shift 2
done

# The ladder rests now; what it had queued is played first.
for _ in $(seq 300); do
    api GET '/v1/matches?limit=200'
    left=$(get '[.items[]|select(.status!="finished")]|length')
    [ "$left" = 0 ] && break
    sleep 0.1
done
is "every match is finished, with a result a slot" true \
    "$(get '.items|all(.status=="finished" and (.results|length)==2)')"
rated=$(get '[.items[]|select(.rated)]|length')
[ "$rated" -gt 0 ]
is "the ladder has played" 0 $?
api GET '/v1/leaderboard?game=tron'
is "ratings count each rated match once" $((2 * rated)) \
    "$(get '[.items[].games]|add')"
serve_stop
is "the service ends well" 0 "$stopped"
serve_done
tap_done
