#!/usr/bin/env bash
# A bot goes in, a match is played, its turns, log and profiles come out.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

serve_start --ladder-rate 0
is "the admin's token is for its owner alone" 600 \
    "$(stat -c %a "$data/admin.token")"

new_user ann
ann=$token
enter_bot space tron runner/games/tron/sample_space.c
is "a bot becomes ready" ready "$(get .status)"
is "and is the active one" true "$(get .active)"
space=$bot
enter_bot wall tron runner/games/tron/sample_wall.c
wall=$bot

play_match tron "$space,$wall" '"seed":7'
is "a match is finished" finished "$(get .status)"
is "its seed is shown as given" 7 "$(get .seed)"
is "both played to the end" "ok ok" "$(get '[.results[].verdict]|join(" ")')"
first=$match
sha=$(get .replay_sha256)
instructions=$(get '.results[0].instructions')

api GET "/v1/matches/$first/replay"
is "the log has the hash that the match says" "$sha" \
    "$(sha256sum <"$scratch/body" | cut -d' ' -f1)"
play_match tron "$space,$wall" '"seed":7'
is "equal inputs, equal log" "$sha" "$(get .replay_sha256)"

token=
api GET "/v1/matches/$first/turns"
is "the turns add up to the result" "$instructions" \
    "$(get '[.items[]|select(.slot==0).instructions]|add')"
json=$(get '.items[]|select(.slot==0)|"\(.turn) \(.instructions)"')
turns=$(get '[.items[].turn]|max')
api GET "/v1/matches/$first/turns?format=csv"
is "the CSV form has the same counts" "$json" \
    "$(grep -E '^[0-9]+,0,' "$scratch/body" | awk -F, '{print $1, $4}')"

token=$ann
api GET "/v1/matches/$first/profile?slot=0&turn=17"
is "a profile that must be taken first is 202" 202 "$status"
api GET "/v1/matches/$first/profile?slot=0&turn=17&format=text&wait=30"
like "waiting for it gives it" "^[0-9]+ instructions in 1 turn" "$body"
api GET "/v1/matches/$first/profile?slot=0&turn=0-$turns&format=csv&wait=30"
is "profiles equal the stored count at every turn" "$json" \
    "$(awk -F, 'NR > 1 {sum[$1] += $NF}
        END {for (t in sum) print t, sum[t]}' "$scratch/body" | sort -n)"

play_match tron "$space,$wall" '"seed":7,"profile":true'
is "profiling while playing changes no byte" "$sha" "$(get .replay_sha256)"
api GET "/v1/matches/$match/profile?slot=0&turn=0-$turns&format=csv"
is "what was stored while playing is there at once" 200 "$status"
is "and says the same" "$json" \
    "$(awk -F, 'NR > 1 {sum[$1] += $NF}
        END {for (t in sum) print t, sum[t]}' "$scratch/body" | sort -n)"

api POST "/v1/matches/$first/verify"
is "a match can be verified" 202 "$status"
for _ in $(seq 100); do
    api GET "/v1/matches/$first"
    [ "$(get .verified)" = null ] || break
    sleep 0.1
done
is "and is equal when played again" true "$(get .verified)"

# What others may see.
new_user bob
api GET "/v1/matches/$first/profile?slot=0&turn=1"
is "profiles are for the owner" 403 "$status"
api GET "/v1/matches/$first/log?slot=0"
is "so is stderr" 403 "$status"
api GET "/v1/bots/$space/source"
is "so is the source" 403 "$status"
api GET "/v1/bots/$space"
is "so are build and diagnostics" "false false" \
    "$(get '[has("build"), has("diagnostics")]|map(tostring)|join(" ")')"
play_match tron "$space,$wall"
is "one bot at least must be one's own" 403 "$status"
api POST /v1/bots -F name=space -F game=tron \
    -F source=@runner/games/tron/sample_wall.c
is "another owner's name is taken" 409 "$status"

# Versions.
token=$ann
enter_bot wall tron runner/games/tron/sample_space.c
is "the same name is the next version" 2 "$(get .version)"
api POST "/v1/bots/$wall/activate"
is "an older version can be made active" "200 true" "$status $(get .active)"
api GET "/v1/bots/$wall/source"
is "the source comes back as it was" \
    "$(sha256sum <runner/games/tron/sample_wall.c)" \
    "$(sha256sum <"$scratch/body")"

serve_stop
is "SIGTERM ends it well" 0 "$stopped"
serve_start --ladder-rate 600
for _ in $(seq 200); do
    api GET '/v1/leaderboard?game=tron'
    [ "$(get '[.items[].games]|add')" -ge 6 ] && break
    sleep 0.1
done
is "the ladder plays by itself" true "$(get '[.items[].games]|add >= 6')"
is "wins and losses balance" 0 "$(get '[.items[]|.wins - .losses]|add')"
serve_done
tap_done
