#!/usr/bin/env bash
# kill -9 of the server and of workers in mid-match: after a restart every match
# that was promised is finished exactly once, and nothing is left running.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

# A bot that takes its time, so that a match is always under way.
cat >"$scratch/slow.c" <<'C'
#include <stdio.h>
int main(void)
{
    static char line[1 << 16];
    volatile unsigned x = 0;

    while (fgets(line, sizeof line, stdin)) {
        int height, rows;
        int players;
        sscanf(line, "%*d %*d %*d %d %d", &height, &players);
        for (rows = height + players; rows > 0; rows--)
            if (!fgets(line, sizeof line, stdin))
                return 0;
        for (int i = 0; i < 4000000; i++)
            x += (unsigned)i;
    }
    return 0;
}
C

serve_start --ladder-rate 0
new_user ann
enter_bot slow tron "$scratch/slow.c"
is "the slow bot is ready" ready "$(get .status)"

order() { # COUNT: matches are queued and acknowledged; ids go to $scratch/ids
    for _ in $(seq "$1"); do
        api POST /v1/matches -H 'Content-Type: application/json' \
            -d "{\"game\":\"tron\",\"bots\":[$bot,$bot]}"
        [ "$status" = 202 ] && get .id >>"$scratch/ids"
    done
}

# A quick host may have played all that was ordered: then one more is.
wait_until_running() {
    for _ in $(seq 100); do
        api GET '/v1/matches?status=running'
        [ "$(get '.items|length')" -gt 0 ] && return 0
        order 1
    done
    return 1
}

order 6
wait_until_running
is "a match is under way" 0 $?
workers=$(pgrep -P "$server")
serve_stop KILL
gone=1
for _ in $(seq 100); do
    gone=0
    for worker in $workers; do
        kill -0 "$worker" 2>/dev/null && gone=1
    done
    [ "$gone" = 0 ] && break
    sleep 0.05
done
is "the workers die with their server" 0 "$gone"

serve_start --ladder-rate 0
# Once: a match has three attempts, and one may have been cut off above too.
order 2
wait_until_running
for worker in $(pgrep -P "$server"); do
    kill -9 "$worker"
done
api GET /readyz
for id in $(cat "$scratch/ids"); do
    await "/v1/matches/$id"
    is "match $id is finished" "finished 2" \
        "$(get '"\(.status) \(.results|length)"')"
    turns=$(get .turns)
    api GET "/v1/matches/$id/turns"
    is "and each of its turns is there once" true \
        "$(get "([.items[]|[.turn,.slot]]|unique|length) ==
            (.items|length) and ([.items[].turn]|max) == $turns")"
done
is "no match was played that nobody asked for" "$(wc -l <"$scratch/ids")" \
    "$(api GET '/v1/matches?limit=200'; get '.items|length')"
serve_stop
is "the service ends well" 0 "$stopped"
serve_start --ladder-rate 0
api GET '/v1/matches?status=finished&limit=200'
is "a later start finds them all" "$(wc -l <"$scratch/ids")" \
    "$(get '.items|length')"
serve_stop
is "no process is left" "" "$(pgrep -f "$data" | tr '\n' ' ')"
serve_done
tap_done
