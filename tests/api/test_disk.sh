#!/usr/bin/env bash
# The disk fills up: first the ladder rests, then batches, then all that stores is
# answered 507; a disk that is really full, or read-only, loses nothing that was
# acknowledged, and all goes on by itself once there is room.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

like "levels that fall are refused" 'rising' "$("$bout" serve --disk-levels 90,80,95 2>&1)"
mkdir "$data"
if ! mount -t tmpfs -o size=48m,mode=0700 tmpfs "$data" 2>/dev/null; then
    skip "a disk fills up" "no file system can be mounted here"
    tap_done
    exit
fi
trap 'serve_stop; umount -l "$data"; rm -rf "$scratch"' EXIT

fill() { # PERCENT: so much of the disk is used
    local all
    rm -f "$data/ballast"
    all=$(df --output=size -k "$data" | tail -1)
    head -c $((all * $1 / 100 * 1024 - $(du -sk "$data" | cut -f1) * 1024)) \
        /dev/zero >"$data/ballast" 2>/dev/null
}

level() { # LEVEL: waits until the service has seen it
    for _ in $(seq 300); do
        curl -sS "$server_site/metrics" | grep -qE "^bout_disk_level $1" && return
        sleep 0.1
    done
}

ready() { # status and reason
    api GET /readyz
    echo "$status $(get '.reason // .detail // .status')"
}

serve_start --ladder-rate 0
new_user ann
enter_bot one tron runner/games/tron/sample_wall.c
is "with room a bot becomes ready" ready "$(get .status)"
one=$bot
is "and so is the service" '200 ok' "$(ready)"

fill 83
level 1
like "at 80 % it is degraded" '^200 .*ladder rests' "$(ready)"
play_match tron "$one,$one"
is "what is asked for by hand is played" finished "$(get .status)"
fill 92
level 2
post /v1/batches "{\"matches\":[{\"game\":\"tron\",\"bots\":[$one,$one]}]}"
is "at 90 % a batch is refused" '507 disk_full' "$status $(get .code)"
enter_bot two tron runner/games/tron/sample_space.c
is "an upload is not" ready "$(get .status)"
fill 97
level 3
api POST /v1/bots -F name=three -F game=tron -F source=@runner/games/tron/sample_wall.c -D "$scratch/head"
is "at 95 % it is too" '507 disk_full' "$status $(get .code)"
ok "with the time to try again" grep -qi '^retry-after: 60' "$scratch/head"
like "and the service is not ready" '^503 .*full' "$(ready)"
api GET "/v1/matches/$match"
is "what reads is answered" '200 finished' "$status $(get .status)"
post /v1/webhooks '{"url":"http://127.0.0.1:9/"}'
is "every write is refused" 507 "$status"
fill 50
level 0
is "with room again it is ready" '200 ok' "$(ready)"
serve_stop

# Really full: levels that are never reached leave it to the database.
serve_start --ladder-rate 0 --disk-levels 100,100,100
promised=
for _ in 1 2 3; do
    post /v1/matches "{\"game\":\"tron\",\"bots\":[$one,$one]}"
    promised="$promised $(get .id)"
done
cat /dev/zero >"$data/ballast" 2>/dev/null
: >"$scratch/statuses"
for n in $(seq 40); do
    post /v1/matches "{\"game\":\"tron\",\"bots\":[$one,$one]}"
    echo "$status" >>"$scratch/statuses"
    [ "$status" != 202 ] || promised="$promised $(get .id)"
    [ "$status" != 507 ] || [ "$n" -lt 20 ] || break
done
is "a write without room is 507, never 500" '' "$(sort -u "$scratch/statuses" | grep -vx '202\|507')"
ok "and there was one" grep -qx 507 "$scratch/statuses"
like "the service is not ready" '^503 .*full' "$(ready)"
api GET /healthz
is "but alive" 200 "$status"
rm "$data/ballast"
level 0
is "room again, ready again" '200 ok' "$(ready)"
for id in $promised; do
    await "/v1/matches/$id"
    [ "$(get .status)" = finished ] || echo "$id $(get .status) $(get .reason)"
done >"$scratch/lost"
is "what was acknowledged is played" '' "$(cat "$scratch/lost")"

mount --bind "$data" "$data" && mount -o remount,bind,ro "$data"
level 3
post /v1/matches "{\"game\":\"tron\",\"bots\":[$one,$one]}"
is "a read-only disk is 503" '503 disk_fails' "$status $(get .code)"
like "and not ready" '^503 .*takes no writes' "$(ready)"
umount "$data"
level 0
play_match tron "$one,$one"
is "writable again, it goes on" finished "$(get .status)"
serve_stop
ok "the database is sound" "$bout" db check --data "$data"
serve_done
tap_done
