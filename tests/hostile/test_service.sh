#!/usr/bin/env bash
# What the service makes of its jail and its workers. It refuses to start below
# the level that it was told. A worker that stands still for ever (SIGSTOP)
# holds up nobody else (case 30), and when its lease is over it is killed with
# all that it started, and its match is played by another, with the same log.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh
export BOUT_CACHE=$scratch/cache

# ---- the level ----------------------------------------------------------------
level=$("$bout" doctor --json | jq .level)
timeout 60 "$bout" serve --data "$scratch/none" --listen 127.0.0.1:0 \
    --jail-level 5 >/dev/null 2>"$scratch/said"
is "a level that there is not is refused" 3 $?
like "with both numbers" \
    "the jail reaches level $level here, --jail-level asks for 5" \
    "$(cat "$scratch/said")"
ok "nothing was made" test ! -e "$scratch/none"
if [ "$(id -u)" = 0 ] && [ "$level" -ge 3 ] &&
    setpriv --reuid 65533 --regid 65533 --clear-groups test -x "$bout"; then
    mkdir -m 777 "$scratch/user"
    chmod a+rx "$scratch"
    timeout 60 setpriv --reuid 65533 --regid 65533 --clear-groups "$bout" serve \
        --data "$scratch/user/data" --listen 127.0.0.1:0 --jail-level 3 \
        >/dev/null 2>"$scratch/said"
    is "an ordinary user's level is too low for 3" 3 $?
    like "and how to reach it is said" 'level 2 here.*asks for 3.*as root' \
        "$(cat "$scratch/said")"
else
    skip "an ordinary user's level" "not root, or the program is out of reach"
fi

# ---- a worker that stands still ----------------------------------------------
below() { # PID: it and all processes below it
    local all=$1 found=$1
    while [ -n "$found" ]; do
        found=$(pgrep -P "$(echo $found | tr ' ' ',')" | tr '\n' ' ')
        all="$all $found"
    done
    echo $all
}

gone() { # PID...: within half a minute
    for _ in $(seq 300); do
        kill -0 "$@" 2>/dev/null || return 0
        sleep 0.1
    done
    return 1
}

order() { # the id is in $match
    api POST /v1/matches -H 'Content-Type: application/json' \
        -d "{\"game\":\"tron\",\"bots\":[$first,$second],\"seed\":5}"
    match=$(get .id)
}

# Stops a worker that plays: it has a zygote, a referee and two bots.
stop_one() {
    local worker
    for _ in $(seq 1000); do
        for worker in $(pgrep -P "$server"); do
            [ "$(pgrep -c -P "$worker")" -ge 4 ] || continue
            kill -STOP "$worker" && echo "$worker" >"$scratch/stopped"
            return
        done
    done
}

sed 's/int x = 0, y = 0, facing = 0;/&\
        for (volatile unsigned i = 0; i < 2000000; i++)\
            ;/' runner/games/tron/sample_wall.c >"$scratch/slow.c"
serve_start --ladder-rate 0 --workers 2
new_user stalled
for name in first second; do
    enter_bot "$name" tron "$scratch/slow.c"
    is "the bot $name is ready" ready "$(get .status)"
    eval "$name=$bot"
done
stop_one &
stopping=$!
for _ in $(seq 20); do
    order
done
wait $stopping
stopped_worker=$(cat "$scratch/stopped" 2>/dev/null)
ok "a worker was stopped in a match" test -n "$stopped_worker"
under=$(below "$stopped_worker")
left='[.items[]|select(.status!="finished").id]'
for _ in $(seq 600); do
    api GET '/v1/matches?limit=200'
    [ "$(get "$left|length")" -gt 1 ] || break
    sleep 0.1
done
is "all other matches are played meanwhile" 1 "$(get "$left|length")"
held=$(get "$left[0]")

# Five minutes are over.
python3 - "$data/bout.db" <<'P'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=60)
with db:
    db.execute("UPDATE jobs SET lease_until_ns = 1 WHERE status = 'leased'")
P
ok "the worker is killed with all that it started" gone $under
await "/v1/matches/$held"
is "its match is played again" finished "$(get .status)"
api GET '/v1/matches?limit=200'
is "with the log of all the others" 1 \
    "$(get '[.items[].replay_sha256]|unique|length')"
serve_stop
is "the service ends well" 0 "$stopped"
serve_done
tap_done
