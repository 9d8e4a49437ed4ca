#!/usr/bin/env bash
# What is old, or more than there is room for, is dropped: it is answered 410 and
# the match says when it went, while record, turns and ratings stay.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

cat >"$scratch/talks.c" <<'C'
#define main sample_main
#include "space.h"
#undef main
int main(void)
{
    fprintf(stderr, "hello\n");
    return sample_main();
}
C
cp runner/games/tron/sample_space.c "$scratch/space.c"

edit() { # PYTHON: `base` is the service's database
    python3 -c "
import sqlite3, sys, time
base = sqlite3.connect('$data/bout.db', timeout=60)
$1
base.commit()"
}

until_is() { # MATCH FILTER PATTERN: until its document says so; it is in $body
    for _ in $(seq 200); do
        api GET "/v1/matches/$1"
        get "$2" | grep -qE "$3" && return
        sleep 0.1
    done
}

statuses() { # MATCH: of replay, log, profile, verify, turns
    local all=
    for path in replay 'log?slot=0' "profile?slot=0&turn=1-9&wait=60" turns; do
        api GET "/v1/matches/$1/$path"
        all="$all $status"
    done
    api POST "/v1/matches/$1/verify"
    echo "$all $status" | xargs
}

like "an age that is none is refused" 'replays=90x' \
    "$("$bout" serve --keep replays=90x 2>&1)"
like "so is a size" 'logs=-1G' "$("$bout" serve --disk logs=-1G 2>&1)"
like "and a kind that is none" 'boats=1d' "$("$bout" serve --keep boats=1d 2>&1)"

serve_start --ladder-rate 0
new_user ann
ann=$token
api POST /v1/bots -F name=talker -F game=tron -F "source=@$scratch/talks.c;filename=bot.c" \
    -F "source=@$scratch/space.c;filename=space.h"
bot=$(get .id)
await "/v1/bots/$bot"
is "a bot becomes ready" ready "$(get .status)"
talker=$bot
enter_bot other tron runner/games/tron/sample_wall.c
api POST /v1/tokens -H 'Content-Type: application/json' -d '{}'
api POST "/v1/tokens/$(get .id)/revoke"
token=$admin
play_match tron "$talker,$bot" '"rated":true,"profile":true'
old=$match
play_match tron "$talker,$bot" '"rated":true,"profile":true'
new=$match
token=$ann
is "two rated matches are played" finished "$(get .status)"
[ "$(get .status)" = finished ] || exit 1
is "of a match all is there" '200 200 200 200 202' "$(statuses "$old")"
await_verified() {
    for _ in $(seq 600); do
        api GET "/v1/matches/$1"
        [ "$(get .verified)" = null ] || return
        sleep 0.1
    done
}
await_verified "$old"
is "nothing is dropped" '{"replays":null,"logs":null,"profiles":null}' "$(get ".dropped|tojson")"
before=$(get 'del(.dropped) | tojson')
api GET "/v1/matches/$old/turns"
turns=$body
api GET "/v1/leaderboard?game=tron"
board=$body
api GET /v1/limits
is "what is kept is told" '31536000 21474836480 2592000' \
    "$(get '"\(.kept.replays.seconds) \(.kept.replays.bytes) \(.kept.profiles.seconds)"')"

age() { # MATCH [PART]: its parts are 400 days old
    edit "
base.execute('UPDATE match_parts SET since_ns = ? WHERE match_id = ? AND part IN (${2:-1, 2, 3})',
             (time.time_ns() - 400 * 86400 * 10**9, $1))"
}
age "$old"
until_is "$old" '.dropped | map(. != null) | all' true
like "what is over its age is dropped, and says when" '^"20.*Z"$' "$(get '.dropped.replays | tojson')"
is "the record stays" "$before" "$(get 'del(.dropped) | tojson')"
is "replay, stderr, profile and verification are gone, turns are not" \
    '410 410 410 200 410' "$(statuses "$old")"
api GET "/v1/matches/$old/replay"
is "with a code" not_kept "$(get .code)"
like "and when it went" 'dropped to make room, at 20' "$(get .detail)"
api GET "/v1/matches/$old/turns"
is "the turns are as they were" "$turns" "$body"
api GET "/v1/leaderboard?game=tron"
is "so are the ratings" "$board" "$body"
is "of a match of today all is there" '200 200 200 200 202' "$(statuses "$new")"
await_verified "$new"
like "metrics say how many went" 'dropped_total\{part="replays"\} 1' \
    "$(curl -sS "$server_site/metrics")"

# What can be taken again is; what is there is told although the replay is not.
age "$new" 3
until_is "$new" .dropped.profiles 20
is "a profile can go alone" null "$(get .dropped.replays)"
api GET "/v1/matches/$new/profile?slot=0&turn=1&wait=60"
is "and is taken again" 200 "$status"
api GET "/v1/matches/$new"
is "so it is dropped no longer" null "$(get .dropped.profiles)"
age "$new" 1
until_is "$new" .dropped.replays 20
api GET "/v1/matches/$new/profile?slot=0&turn=1"
is "without the replay it still stands" 200 "$status"
api GET "/v1/matches/$new/profile?slot=1&turn=1"
is "what was not taken again is gone" 410 "$status"
serve_stop
edit "
old = time.time_ns() - 400 * 86400 * 10**9
base.execute('UPDATE jobs SET finished_ns = ? WHERE subject_id = $old', (old,))
base.execute('UPDATE tokens SET revoked_ns = ? WHERE revoked_ns IS NOT NULL', (old,))"

serve_start --ladder-rate 0 --disk replays=1K,logs=none --keep logs=forever
play_match tron "$talker,$bot"
until_is "$match" .dropped.replays 20
is "over its room the oldest of a kind goes" finished "$(get .status)"
is "and no other" null "$(get .dropped.logs)"
serve_stop
is "ended jobs and tokens went too" '0 0' "$(edit "
print(*[base.execute(sql).fetchone()[0] for sql in (
    'SELECT count(*) FROM jobs WHERE subject_id = $old AND kind <> \'build\'',
    'SELECT count(*) FROM tokens WHERE revoked_ns IS NOT NULL')])")"
ok "the database is sound without them" "$bout" db check --data "$data"
serve_done
tap_done
