#!/usr/bin/env bash
# Who may do what: every operation of /openapi.json as anybody, as another user,
# as the opponent, as the owner and as the admin; and what each sees of a bot and
# of a match. Then mutated requests to every operation.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

serve_start --ladder-rate 0 --rate 0 --post-rate 0
roles="anybody other opponent owner judge observer admin"
declare -A token_of=([anybody]='' [admin]=$admin)
for role in other opponent owner judge observer; do
    case $role in
    judge | observer) new_user $role ",\"role\":\"$role\"" ;;
    *) new_user $role ;;
    esac
    token_of[$role]=$token
done
token=${token_of[owner]} api POST /v1/tokens -H 'Content-Type: application/json' -d '{}'
spare=$(get .id)
token=${token_of[owner]} api POST /v1/webhooks -H 'Content-Type: application/json' \
    -d '{"url":"http://127.0.0.1:9/"}'
hook=$(get .id)
owner_id=$(token=${token_of[owner]}; api GET /v1/users/me; get .id)

# The owner's bot fails in its third turn, with something on stderr.
cat >"$scratch/faulty.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char line[256];
    int turn = 0;
    while (fgets(line, sizeof line, stdin)) {
        int number, you;
        if (sscanf(line, "%d %d", &number, &you) != 2 || number == turn)
            continue;
        turn = number;
        fprintf(stderr, "secret %d\n", turn);
        if (turn == 40)
            abort();
        puts("N");
    }
}
C
cp runner/games/tron/sample_wall.c "$scratch/good.c"
token=${token_of[owner]} enter_bot mine tron "$scratch/good.c"
mine=$bot
token=${token_of[opponent]} enter_bot theirs tron "$scratch/good.c"
theirs=$bot
# A version that is not ready, so that suspending it is refused for that.
token=${token_of[owner]}
api POST /v1/bots -F name=unready -F game=tron -F 'source=int x(;filename=a.c'
unready=$(get .id)
await "/v1/bots/$unready"
token=${token_of[owner]} play_match tron "$mine,$theirs" '"seed":3,"profile":true'
is "a match is played" finished "$(get .status)"

# "METHOD PATH STATUS...", a line an operation, from api/README.md.
table=$(sed -nE 's/^\| `([^`]*)` \|(.*)\|[^|]*\|$/\1\2/p' api/README.md | tr -d '|' |
    tr -s ' ' | sed 's/ $//')

curl -sS "$server_site/openapi.json" | jq -r '.paths | to_entries[] |
    .key as $path | .value | keys[] | "\(ascii_upcase) \($path)"' | sort >"$scratch/told"
is "the table has every operation" '' \
    "$(sed -n 's/^\([A-Z]* [^ ]*\) .*/\1/p' <<<"$table" | sort | diff - "$scratch/told")"

# ask ROLE METHOD PATH: the request of a table's line; the status is in $status.
ask() {
    local token=${token_of[$1]} method=$2 path=$3 id=$mine
    local -a more=()
    case $path in
    /v1/matches/*) id=$match ;;
    /v1/tokens/*) id=$spare ;;
    /v1/webhooks/*) id=$hook ;;
    /v1/users/*) id=$owner_id ;;
    /v1/invitations/* | /v1/batches/*) id=1 ;;
    esac
    path=${path/\{id\}/$id}
    path=${path/\{name\}/tron}
    case "$method $3" in
    'GET /v1/events') path=$path?seconds=1 ;;
    'GET /v1/leaderboard') path=$path?game=tron ;;
    'GET /v1/matches/{id}/profile') path="$path?slot=0&turn=1&wait=60" ;;
    'GET /v1/matches/{id}/log') path="$path?slot=0" ;;
    'POST /v1/users') more=(-H 'Content-Type: application/json' -d "{\"name\":\"by-$1\"}") ;;
    'POST /v1/users/{id}/role') more=(-H 'Content-Type: application/json' -d '{"role":"user"}') ;;
    'POST /v1/webhooks') more=(-H 'Content-Type: application/json' -d '{"url":"http://127.0.0.1:9/"}') ;;
    'POST /v1/users/{id}/quotas') more=(-H 'Content-Type: application/json' -d '{}') ;;
    'POST /v1/users/{id}/erase') more=(-H 'Content-Type: application/json' -d '{"name":"nobody"}') ;;
    'POST /v1/bots/{id}/fork' | 'POST /v1/bots/{id}/notes')
        more=(-H 'Content-Type: application/json' -d '{}')
        [ "${path##*/}" = fork ] || more=(-H 'Content-Type: application/json' -d '{"notes":"n"}') ;;
    'POST /v1/bots/{id}/suspend')
        path=/v1/bots/$unready/suspend more=(-H 'Content-Type: application/json' -d '{"reason":"r"}') ;;
    'POST /v1/batches') more=(-H 'Content-Type: application/json'
        -d "{\"game\":\"tron\",\"bots\":[$mine,$theirs],\"rounds\":2}") ;;
    'POST /v1/tokens' | 'POST /v1/invitations') more=(-H 'Content-Type: application/json' -d '{}') ;;
    'POST /v1/bots') more=(-F name=mine -F game=tron -F "source=@$scratch/good.c") ;;
    'POST /v1/matches') more=(-H 'Content-Type: application/json'
        -d "{\"game\":\"tron\",\"bots\":[$mine,$theirs]}") ;;
    esac
    api "$method" "$path" "${more[@]}"
}

while read -r method path expected; do
    [ -n "$method" ] || continue
    got=
    for role in $roles; do
        ask "$role" "$method" "$path"
        got="$got $status"
    done
    is "$method $path" "$expected" "${got# }"
done <<<"$table"

# ---- what each sees -----------------------------------------------------------
token=${token_of[owner]} enter_bot faulty tron "$scratch/faulty.c"
rejected=$bot
seen() { # PATH JQ: the answer's value a role, in the order of $roles
    local got=
    for role in $roles; do
        token=${token_of[$role]} api GET "$1"
        got="$got $(get "$2")"
    done
    echo "${got# }"
}
is "a bot's build and fingerprint: owner and staff" 'false false false true true true true' \
    "$(seen "/v1/bots/$mine" 'has("build") and has("fingerprint")')"
is "its diagnostics too" 'false false false true true true true' \
    "$(seen "/v1/bots/$rejected" 'has("diagnostics")')"
is "and in lists" 'false false false true true true true' \
    "$(seen "/v1/bots?name=mine&game=tron" '.items[0]|has("build")')"
is "name, version, status and owner: everybody" 'mine mine mine mine mine mine mine' \
    "$(seen "/v1/bots/$mine" 'select(.version == 1 and .owner == "owner" and .status == "ready").name')"
is "nobody sees a token or a hash of one" 'false false false false false false false' \
    "$(seen "/v1/bots/$mine" 'tostring | contains("bout_")')"

# ---- cancelled and queued again -------------------------------------------------
# Workers that stand still leave it in the queue.
token=${token_of[owner]}
kill -STOP $(pgrep -P "$server")
api POST /v1/matches -H 'Content-Type: application/json' \
    -d "{\"game\":\"tron\",\"bots\":[$mine,$theirs],\"seed\":3}"
last=$(get .id)
api POST "/v1/matches/$last/cancel"
is "an owner cancels a match" "200 cancelled" "$status $(get .status)"
api POST "/v1/matches/$last/cancel"
is "not twice" 409 "$status"
token=${token_of[other]} api POST "/v1/matches/$last/requeue"
is "nobody else queues it again" 403 "$status"
token=${token_of[owner]}
api POST "/v1/matches/$last/requeue"
is "the owner does" "202 queued" "$status $(get .status)"
kill -CONT $(pgrep -P "$server")
await "/v1/matches/$last"
is "and it is played" finished "$(get .status)"
is "as the same match was before" \
    "$(api GET "/v1/matches/$match"; get .replay_sha256)" \
    "$(api GET "/v1/matches/$last"; get .replay_sha256)"

token='' api GET '/v1/bots?gmae=tron'
is "a misspelt parameter is refused" 400 "$status"
like "with those that there are" 'gmae: is no parameter of this path, which takes game ' \
    "$(get .detail)"

export SITE=$site TOKENS="${token_of[owner]} $admin" BOT=$mine MATCH=$match
timeout 500 python3 tests/api/mutate.py >"$scratch/mutated"
while read -r line; do
    case $line in
    'ok '*) tap_report 0 "${line#ok * - }" ;;
    'not ok '*) tap_report 1 "${line#not ok * - }" ;;
    '#'*) echo "$line" ;;
    esac
done <"$scratch/mutated"
like "every operation was tried" '^1\.\.[0-9]+$' "$(tail -1 "$scratch/mutated")"
serve_done
tap_done
