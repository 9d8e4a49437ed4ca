#!/usr/bin/env bash
# Sixteen clients that read and write, matches that are stored and a reader that
# holds an old state of the database for as long: nothing is refused for it.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

serve_start --ladder-rate 600 --rate 0 --post-rate 0
new_user ann
enter_bot one tron runner/games/tron/sample_wall.c
one=$bot
enter_bot two tron runner/games/tron/sample_space.c
two=$bot

# A read transaction that stays open: what it saw must not change, and nobody
# waits for it.
python3 - "$data/bout.db" "$scratch/stop" >"$scratch/reader" <<'P' &
import os, sqlite3, sys, time
base = sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True,
                       isolation_level=None)
base.execute("BEGIN")
count = "SELECT count(*) FROM matches"
before = base.execute(count).fetchone()[0]
print("open", flush=True)
while not os.path.exists(sys.argv[2]):
    time.sleep(0.05)
print("same" if base.execute(count).fetchone()[0] == before else "changed")
P
reader=$!
for _ in $(seq 100); do
    [ -s "$scratch/reader" ] && break
    sleep 0.1
done

client() { # NUMBER: its statuses, a line a request
    for n in 1 2 3 4 5 6; do
        curl -sS -m 90 -o /dev/null -w '%{http_code}\n' \
            "$site/v1/leaderboard?game=tron"
        curl -sS -m 90 -o "$scratch/post$1.$n" -w '%{http_code}\n' \
            -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
            -d "{\"game\":\"tron\",\"bots\":[$one,$two],\"seed\":$1}" "$site/v1/matches"
    done >"$scratch/client$1" 2>&1
}
clients=
for n in $(seq 16); do
    client "$n" &
    clients="$clients $!"
done
wait $clients
is "every request is answered as if it were alone" '200 96 202 96' \
    "$(cat "$scratch"/client* | sort | uniq -c | awk '{print $2, $1}' | tr '\n' ' ' | sed 's/ $//')"
is "each match has its own id" 96 "$(jq .id "$scratch"/post* | sort -u | wc -l)"
for id in $(jq .id "$scratch"/post* | sort -n | tail -3); do
    await "/v1/matches/$id"
    is "match $id is played" finished "$(get .status)"
done
touch "$scratch/stop"
wait "$reader"
is "the reader saw one state all the time" 'open same' "$(tr '\n' ' ' <"$scratch/reader" | sed 's/ $//')"
is "no write failed" '' "$(grep -i 'locked\|write failed' "$scratch/serve.err")"
serve_done
tap_done
