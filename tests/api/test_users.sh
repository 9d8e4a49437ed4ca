#!/usr/bin/env bash
# Users: registration by invitation, roles, tokens with scopes and an end, the
# audit log.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

serve_start --ladder-rate 0 --registration invitation
# ---- invitations ---------------------------------------------------------------
token=''
post /v1/users '{"name":"ann"}'
is "without an invitation nobody registers" "403 bad_invitation" "$status $(get .code)"
token=$admin
post /v1/invitations '{"label":"class of today","uses":1}'
is "an admin invites" 201 "$status"
invitation=$(get .invitation)
api GET /v1/invitations
is "the invitation is listed without its text" '1 false' \
    "$(get '"\(.items[0].uses_left) \(.items[0]|has("invitation"))"')"
token=''
post /v1/users "{\"name\":\"ann\",\"invitation\":\"${invitation}x\"}"
is "a wrong one is refused" 403 "$status"
post /v1/users "{\"name\":\"a b\",\"invitation\":\"$invitation\"}"
is "a refused registration" 422 "$status"
post /v1/users "{\"name\":\"ann\",\"invitation\":\"$invitation\"}"
is "does not use it up: the next one is let in" 201 "$status"
ann=$(get .token) ann_id=$(get .id)
post /v1/users "{\"name\":\"bob\",\"invitation\":\"$invitation\"}"
is "and then it is used up" 403 "$status"
token=$admin
post /v1/invitations '{"uses":5}'
revoked=$(get .invitation)
api POST "/v1/invitations/$(get .id)/revoke"
is "an invitation is revoked" 200 "$status"
post /v1/invitations '{"expires_s":1}'
short=$(get .invitation)
sleep 1.1
token=''
post /v1/users "{\"name\":\"bob\",\"invitation\":\"$revoked\"}"
is "and lets nobody in" 403 "$status"
post /v1/users "{\"name\":\"bob\",\"invitation\":\"$short\"}"
is "nor does one at its end" 403 "$status"
token=$admin
post /v1/users '{"name":"bob"}'
is "an admin needs none" 201 "$status"
bob=$(get .token)

# ---- tokens --------------------------------------------------------------------
token=$ann
api GET /v1/users/me
is "a first token may do all" 'ann user read,bots,matches,account,staff' \
    "$(get '"\(.name) \(.role) \(.scopes|join(","))"')"
post /v1/tokens '{"label":"laptop","scopes":["bots","read"]}'
is "a further token is made" '201 laptop read,bots' \
    "$status $(get '"\(.label) \(.scopes|join(","))"')"
laptop=$(get .token) laptop_id=$(get .id)
api GET /v1/tokens
is "both are listed" '2' "$(get '.items|length')"
is "without a secret" 'false' "$(get 'tostring|contains("bout_")')"
is "nor is one in the database" '' "$(grep -al "$laptop" "$data"/bout.db*)"
token=$laptop
api GET /v1/users/me
is "it works" 200 "$status"
post /v1/matches '{"game":"tron","bots":[1,1]}'
is "but not for what it lacks" "403 no_scope" "$status $(get .code)"
post /v1/tokens '{}'
is "nor does it make further ones" "403 no_scope" "$status $(get .code)"
token=$ann
post /v1/tokens '{"scopes":["account"]}'
narrow=$(get .token)
token=$narrow
post /v1/tokens '{"scopes":["account","bots"]}'
is "and none gives more than it has" "403 no_scope" "$status $(get .code)"
token=$ann
post /v1/tokens '{"scopes":["fly"]}'
is "an unknown scope is refused" 422 "$status"
post /v1/tokens '{"expires_s":1}'
short=$(get .token)
token=$short api GET /v1/users/me
is "a token with an end works until then" 200 "$status"
sleep 1.1
token=$short api GET /v1/users/me
is "and not after it" "401 bad_token" "$status $(get .code)"
token=$ann
post /v1/tokens '{"label":"once"}' && key=$(get .id)
post /v1/tokens '{"label":"twice"}' -H 'Idempotency-Key: t1'
first=$(get .id)
post /v1/tokens '{"label":"twice"}' -H 'Idempotency-Key: t1'
is "a repeated POST makes no second token and does not show it again" "$first false" \
    "$(get '"\(.id) \(has("token"))"')"
token=$bob api POST "/v1/tokens/$laptop_id/revoke"
is "nobody else revokes it, or learns that it exists" 404 "$status"
token=$ann api POST "/v1/tokens/$laptop_id/revoke"
is "its owner does" 200 "$status"
token=$laptop api GET /v1/users/me
is "and it is over" 401 "$status"
token=$bob api GET '/v1/tokens?owner=ann'
is "others do not see ann's tokens" 403 "$status"
token=$admin
api GET '/v1/tokens?owner=ann'
is "an admin does" 200 "$status"
api POST "/v1/tokens/$key/revoke"
is "and revokes one" 200 "$status"

# ---- roles ---------------------------------------------------------------------
token=$ann enter_bot secret tron runner/games/tron/sample_wall.c
secret=$bot
token=$bob api GET "/v1/bots/$secret/source"
is "a user does not read another's source" 403 "$status"
bob_id=$(token=$bob; api GET /v1/users/me; get .id)
token=$bob post "/v1/users/$bob_id/role" '{"role":"admin"}'
is "nobody makes himself an admin" 403 "$status"
token=$admin post "/v1/users/$bob_id/role" '{"role":"observer"}'
is "an admin makes bob an observer" '200 observer' "$status $(get .role)"
token=$bob api GET "/v1/bots/$secret/source"
is "an observer reads it" 200 "$status"
token=$bob api POST /v1/bots -F name=spy -F game=tron -F source=@runner/games/tron/sample_wall.c
is "and enters no bot" "403 no_bots" "$status $(get .code)"
token=$bob post /v1/tokens '{"scopes":["read"]}'
weak=$(get .token)
token=$weak api GET "/v1/bots/$secret/source"
is "a token without staff gives no role" 403 "$status"
admin_id=$(token=$admin; api GET /v1/users/me; get .id)
token=$admin post "/v1/users/$admin_id/role" '{"role":"user"}'
is "the last admin stays" 409 "$status"
api GET /v1/users/me
is "and stays one" admin "$(get .role)"
token=$ann post /v1/tokens '{"scopes":["bots"]}'
blind=$(get .token)
token=$blind api GET "/v1/bots/$secret"
is "without read a token sees of its own bot what all see" 'false' "$(get 'has("build")')"

# ---- audit ---------------------------------------------------------------------
token=$admin api GET /v1/admin/audit
is "the audit log has the acts, newest first" \
    "user.role token.revoke user.add invitation.add invitation.revoke invitation.add user.add invitation.add" \
    "$(get '[.items[].action]|join(" ")')"
is "and by whom" "admin ann" "$(get '[.items[].user]|unique|join(" ")')"
api GET "/v1/admin/audit?user=$ann_id"
is "of one user" "user.add" "$(get '[.items[].action]|join(" ")')"

# ---- rights that end while a request is under way --------------------------------
token=$ann post /v1/tokens '{"expires_s":3600}'
short=$(get .token)
short_id=$(get .id)
short_end=$(get .expires)
token=$short post /v1/tokens '{}'
is "a token makes none that lives longer" "201 $short_end" "$status $(get .expires)"
address=${server_site#http://}
exec 9<>"/dev/tcp/${address%:*}/${address#*:}"
printf 'POST /v1/tokens HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{' \
    "$short" >&9
sleep 0.5
token=$ann post "/v1/tokens/$short_id/revoke" '{}'
is "it is revoked" 200 "$status"
(printf '}' >&9) 2>/dev/null
read -r -t 20 _ late _ <&9
exec 9>&-
is "a body that comes after the token's end does nothing" 401 "$late"

# ---- heads that are too much for the library --------------------------------------
memory() { awk '/^VmRSS/ {print $2}' "/proc/$server/status"; }
query=$(printf 'limit=1&%.0s' {1..4000})
too_much() {
    for _ in {1..500}; do
        # In a process of its own, which a closed connection may end.
        (printf 'GET /v1/bots?%s HTTP/1.1\r\nHost: here\r\n\r\n' "$query" \
            >"/dev/tcp/${address%:*}/${address#*:}") 2>/dev/null
    done
    sleep 1
}
too_much # the first ones grow the connections' pools, which are used again
before=$(memory)
too_much
ok "leave nothing behind" test $(($(memory) - before)) -lt 8000
serve_stop

# ---- closed --------------------------------------------------------------------
serve_start --ladder-rate 0
token=''
post /v1/users '{"name":"cat"}'
is "closed: without a token" 401 "$status"
token=$ann post /v1/users '{"name":"cat"}'
is "closed: as a user" 403 "$status"
serve_done
tap_done
