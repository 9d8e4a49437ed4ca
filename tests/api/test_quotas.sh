#!/usr/bin/env bash
# Quotas: what they are, where they end, that 429 says when; and a person's data
# exported and erased.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

wall=runner/games/tron/sample_wall.c
retry_after() {
    curl -sS -o /dev/null -D - -H "Authorization: Bearer $token" "$@" |
        tr -d '\r' | sed -n 's/^Retry-After: //p'
}
upload() {
    api POST /v1/bots -F "name=$1" -F game=tron -F "source=@$wall"
    bot=$(get .id)
}

code=$("$bout" serve --data "$data" --quotas hats=3 2>&1; echo $?)
like "an unknown quota is refused at start" 'bout limits.*hats' "$code"
serve_start --ladder-rate 0 --quotas uploads_per_hour=6,kept_versions=2
token=''
api GET /v1/limits
is "GET /v1/limits shows them" '6 600 2' \
    "$(get '.quotas|"\(.uploads_per_hour) \(.queued_matches) \(.kept_versions)"')"
is "bout limits shows the usual ones" 60 \
    "$("$bout" limits --json | jq .quotas.uploads_per_hour)"

# ---- uploads --------------------------------------------------------------------
new_user ann
ann_id=$(api GET /v1/users/me; get .id) ann_token=$token
for version in 1 2 3; do
    enter_bot runner tron "$wall"
    is "version $version is ready" ready "$(get .status)"
    eval "v$version=$bot"
done
ann_bot=$bot
api GET "/v1/bots/$v1"
is "of two kept versions the first is no longer one" 'false' "$(get .kept)"
api GET "/v1/bots/$v1/source"
is "its source is gone, and said so" "410 dropped" "$status $(get .code)"
api POST "/v1/bots/$v1/activate"
is "it cannot be made the active one" 409 "$status"
api GET "/v1/bots/$v2/source"
is "that of the second is there" 200 "$status"
for name in four five six; do
    upload $name
done
is "the sixth upload of the hour is taken" 202 "$status"
upload seven
is "the seventh is not" "429 quota" "$status $(get .code)"
api GET '/v1/bots?name=seven'
is "and nothing is left of it" 0 "$(get '.items|length')"
wait_s=$(retry_after "$site/v1/bots" -F name=seven -F game=tron -F "source=@$wall")
[ "$wait_s" -gt 3000 ] && [ "$wait_s" -le 3600 ]
is "Retry-After is when the first of them is an hour old" 0 $?
api GET /v1/users/me
is "a user sees what is used" '6 of 6' \
    "$(get '.quotas.uploads_per_hour|"\(.used) of \(.most)"')"
new_user bob
upload other
is "another user is not concerned" 202 "$status"
ann=$(token=$admin; post "/v1/users/$ann_id/quotas" '{"uploads_per_hour":8,"queued_matches":3}'
    get .quotas.uploads_per_hour.most)
is "an admin gives more" 8 "$ann"

# ---- matches --------------------------------------------------------------------
token=$admin
post /v1/users '{"name":"cat"}'
token=$(get .token) cat_id=$(get .id)
(token=$admin; post "/v1/users/$cat_id/quotas" '{"queued_matches":3,"replays_per_hour":1}')
cat=$token
enter_bot cat tron "$wall"
cat_bot=$bot
kill -STOP $(pgrep -P "$server")
for n in 1 2; do
    post /v1/matches "{\"game\":\"tron\",\"bots\":[$cat_bot,$cat_bot],\"seed\":$n}"
    queued="${queued:-} $(get .id)"
done
post /v1/batches "{\"game\":\"tron\",\"bots\":[$cat_bot,$cat_bot],\"rounds\":2}"
is "a batch over the quota is refused as a whole" "429 quota" "$status $(get .code)"
post /v1/batches "{\"game\":\"tron\",\"bots\":[$cat_bot,$cat_bot],\"rounds\":4}"
is "one that is more than the whole quota is not told to wait" "409 quota" \
    "$status $(get .code)"
like "but that it never fits" 'is 3, and this would take 4 at once' "$(get .detail)"
api GET /v1/matches
is "and queues nothing" 2 "$(get '.items|length')"
post /v1/matches "{\"game\":\"tron\",\"bots\":[$cat_bot,$cat_bot]}"
is "one more is within it" 202 "$status"
last=$(get .id)
api GET "/v1/matches?status=queued"
waiting=$(get '.items|length') # a worker may have got none, one or two
api GET "/v1/matches/$last"
is "its position and age are told" "$waiting true" \
    "$(get '"\(.queue_position) \(.queue_age_s >= 0)"')"
post /v1/matches "{\"game\":\"tron\",\"bots\":[$cat_bot,$cat_bot]}"
is "the next is not" 429 "$status"
kill -CONT $(pgrep -P "$server")
set -- $queued
await "/v1/matches/$1"
post "/v1/matches/$1/verify" '{}'
is "a verification" 202 "$status"
post "/v1/matches/$1/verify" '{}'
is "and no second one in the hour" 429 "$status"

# ---- export ---------------------------------------------------------------------
cat_token=$token
post /v1/tokens '{"label":"no read","scopes":["account"]}'
token=$(get .token) api GET "/v1/users/$cat_id/export"
is "a token without the scope read exports nothing" '403 no_scope' \
    "$status $(get .code)"
like "and is told which" read "$(get .detail)"
token=$ann_token
post /v1/matches "{\"game\":\"tron\",\"bots\":[$ann_bot,$cat_bot],\"seed\":9}"
is "another's match with this user's bot" 202 "$status"
token=$cat_token
api GET "/v1/users/$cat_id/export"
is "a user exports all that is stored, others' matches too" 'cat 2 1 4 0 0' \
    "$(get '"\(.user.name) \(.tokens|length) \(.bots|length) \(.matches|length) \(.acts|length) \(.webhooks|length)"')"
is "with no secret in it" false "$(get 'tostring|contains("bout_")')"

# ---- erase ----------------------------------------------------------------------
await "/v1/matches/$1"
sha=$(get .replay_sha256)
post "/v1/users/$cat_id/erase" '{"name":"dog"}'
is "erasing wants the user's name" 422 "$status"
post "/v1/users/$cat_id/erase" '{"name":"cat"}'
is "and is done" "200 erased-$cat_id" "$status $(get .name)"
api GET /v1/users/me
is "the token is over" 401 "$status"
token=''
api GET "/v1/matches/$1"
is "the match stays as it was" "finished $sha" "$(get '"\(.status) \(.replay_sha256)"')"
like "under a pseudonym" '^erased-[0-9]+$' "$(get '.results[0].name')"
api GET "/v1/matches/$1/replay"
is "with its log" 200 "$status"
token=$admin
api GET "/v1/bots/$cat_bot"
is "the bot is out" 'suspended false false' "$(get '"\(.status) \(.active) \(.kept)"')"
api POST "/v1/matches/$1/verify"
is "the match is not played again: its builds are gone" "409 dropped" "$status $(get .code)"
serve_stop
is "no table has the name any more" '' "$(python3 - "$data/bout.db" <<'P'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
for (table,) in base.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
    for row in base.execute("SELECT * FROM " + table).fetchall():
        for value in row:
            if isinstance(value, str) and "cat" in value.split():
                print(table, value)
            if table in ("users", "names", "repeats") and value == "cat":
                print(table, value)
P
)"
serve_start --ladder-rate 0
token=$admin
post /v1/users '{"name":"erased-77"}'
is "nobody takes such a name" 422 "$status"
api GET /v1/limits
words=$(get '.quotas|keys|join(" ")')
api GET /openapi.json
is "each quota is described" "$words" \
    "$(get '.components.schemas.Quotas.properties|to_entries|map(select(.value.description)|.key)|sort|join(" ")')"
serve_done
tap_done
