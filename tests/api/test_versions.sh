#!/usr/bin/env bash
# Versions: notes, forks, suspension for losses by crash, equal sources.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

wall=runner/games/tron/sample_wall.c
serve_start --ladder-rate 0 --suspend-after 2
new_user ann
ann=$token
new_user bob
bob=$token

# ---- notes and forks --------------------------------------------------------------
token=$ann
api POST /v1/bots -F name=hunter -F game=tron -F notes='turns left first' -F "source=@$wall"
first=$(get .id)
is "a version comes with notes" 'turns left first' "$(get .notes)"
await "/v1/bots/$first"
post "/v1/bots/$first/notes" '{"notes":"better: right"}'
is "they are changed" 'better: right' "$(get .notes)"
token=$bob api GET "/v1/bots/$first"
is "and nobody else's business" false "$(get 'has("notes") or has("reason")')"
post "/v1/bots/$first/fork" '{"notes":"as it was"}'
is "a fork is the next version" "202 2 $first" "$status $(get '"\(.version) \(.forked_from)"')"
second=$(get .id)
await "/v1/bots/$second"
is "and becomes the active one" 'ready true' "$(get '"\(.status) \(.active)"')"
is "with the same build" "$(api GET "/v1/bots/$first"; get .build)" \
    "$(api GET "/v1/bots/$second"; get .build)"
post "/v1/bots/$first/fork" '{"name":"cousin"}'
is "or a bot of another name" '202 cousin 1' "$status $(get '"\(.name) \(.version)"')"
await "/v1/bots/$(get .id)"
token=$bob post "/v1/bots/$first/fork" '{}'
is "another's is not forked" 403 "$status"
token=$ann
api POST "/v1/bots/$first/activate"
is "the first is made the active one again" 200 "$status"

# ---- equal sources ----------------------------------------------------------------
# What another user who enters the same source gets is what any upload gets.
token=$bob
statuses() { # ID: each status that is seen until it is settled
    local seen=
    for _ in $(seq 600); do
        api GET "/v1/bots/$1"
        local now
        now=$(get .status)
        [ "${seen##* }" = "$now" ] || seen="$seen $now"
        case $now in ready | rejected) break ;; esac
        sleep 0.02
    done
    echo "${seen# }"
}
api POST /v1/bots -F name=copy -F game=tron -F "source=@$wall"
copy=$(get .id)
is "equal source: it is queued as any other" '202 queued 1' \
    "$status $(get '"\(.status) \(.queue_position)"')"
like "goes through the same statuses" '^(queued )?compiling checking ready$' \
    "$(statuses "$copy" | sed 's/^compiling ready$/compiling checking ready/')"
is "and is the same build" "$(token=$ann; api GET "/v1/bots/$first"; get .build)" \
    "$(api GET "/v1/bots/$copy"; get .build)"
is "nothing tells bob of ann's" 'null' "$(get '.forked_from')"

# ---- suspended --------------------------------------------------------------------
# Smoke matches have two players: what crashes as the third gets through them.
sed 's/int x = 0, y = 0, facing = 0;/&\
        if (you == 2) abort();/; 1i #include <stdlib.h>' "$wall" >"$scratch/rare.c"
token=$bob enter_bot rare tron "$scratch/rare.c"
is "a bot that fails as third player only is ready" ready "$(get .status)"
rare=$bot
play_third() { # MEMBERS: two sound bots and the rare one
    play_match tron "$first,$copy,$rare" "\"seed\":3$1"
}
token=$admin
play_third ''
is "unrated it loses by crash" 'crash 3' "$(get '.results[2]|"\(.verdict) \(.rank)"')"
play_third ',"rated":true'
play_match tron "$first,$rare" '"rated":true,"seed":3'
play_third ',"rated":true'
api GET "/v1/bots/$rare"
is "two rated losses by crash, not in a row: it plays on" 'ready true' \
    "$(get '"\(.status) \(.active)"')"
play_third ',"rated":true'
token=$bob
api GET "/v1/bots/$rare"
is "twice in a row: it is suspended" 'suspended false' "$(get '"\(.status) \(.active)"')"
like "and its owner told why" "lost 2 rated matches in a row.*match $match, by crash" "$(get .reason)"
token=$ann api GET "/v1/bots/$rare"
is "its owner alone" false "$(get 'has("reason")')"
token=$ann
play_match tron "$first,$rare"
is "others cannot play it" 409 "$status"
token=$bob
play_match tron "$rare,$rare"
is "its owner can, unrated" finished "$(get .status)"
enter_bot rare tron "$wall"
is "an upload takes its place" 'ready true' "$(get '"\(.status) \(.active)"')"
post "/v1/bots/$rare/resume" '{}'
is "an owner does not let the old one play again" 403 "$status"
token=$admin
post "/v1/bots/$rare/resume" '{}'
is "an admin does; the newer one stays active" '200 ready false' \
    "$status $(get '"\(.status) \(.active)"')"
post "/v1/bots/$first/suspend" '{"reason":"copied from a library"}'
is "an admin suspends one" 'suspended' "$(get .status)"
token=$ann api GET "/v1/bots/$first"
is "its owner reads the reason" 'copied from a library' "$(get .reason)"
token=$admin
post "/v1/bots/$first/resume" '{}'
is "and lets it play again, as the active one" '200 ready true null' \
    "$status $(get '"\(.status) \(.active) \(.reason)"')"
api GET /v1/admin/audit
is "all of it is in the audit log" 'bot.resume bot.suspend bot.resume' \
    "$(get '[.items[0:3][].action]|join(" ")')"
serve_done
tap_done
