#!/usr/bin/env bash
# Maps as data: skirmish's are files; a service plays on some that only it has,
# in DATA/maps/skirmish, and nobody reads of them before they are played.
cd "$(dirname "$0")/../.." && . tests/tap.sh
. tests/api/serve.sh

export BOUT_CACHE=$scratch/cache
wander=runner/games/skirmish/sample_wander.c
version() { timeout 200 "$bout" games --json | jq -r '.items[] | select(.name == "skirmish").version'; }
timeout 100 "$bout" build $wander -o "$scratch/wander.bot" >/dev/null 2>&1

# The last row of a map that no public one has, as both sides see it.
row='"f.f.f.#.....",'
{
    echo '/* finals */'
    for _ in 1 2 3 4 5 6; do echo '"............",'; done
    echo '"..B.........",'
    for _ in 1 2 3 4 5 6; do echo '"....$.......",' | if [ "$_" -gt 2 ]; then tr '$' '.'; else cat; fi; done
    for _ in 1 2 3; do echo "$row"; done
} >"$scratch/finals.map"
is "the map of this test has 16 rows" 17 "$(wc -l <"$scratch/finals.map")"

export BOUT_DATA=$scratch/home
plain=$(version)
mkdir -p "$scratch/home/maps/skirmish"
cp "$scratch/finals.map" "$scratch/home/maps/skirmish/"
hidden=$(version)
ok "another map makes another version of the game" test -n "$plain" -a "$plain" != "$hidden"
is "bout games tells nothing else of it" '' "$(timeout 100 "$bout" games | grep -i 'final\|hidden')"

# found: the hidden map is played in one of six matches (three rounds of six maps).
found() {
    for seed in 1 2 3 4 5 6; do
        timeout 100 "$bout" play skirmish "$scratch/wander.bot" "$scratch/wander.bot" --seed $seed \
            --replay "$scratch/log" >/dev/null 2>&1
        if grep -q 'f\.f\.f\.#' "$scratch/log"; then echo $seed && return; fi
    done
    echo none
}
seed=$(found)
like "it is among those that are played (seed $seed)" '^[1-6]$' "$seed"
rm -r "$scratch/home/maps"
is "without it, it is not" none "$(found)"
mkdir -p "$scratch/home/maps/skirmish"
sed 's/B/./' "$scratch/finals.map" >"$scratch/home/maps/skirmish/bad.map"
like "a map without a base is a fault of the game, in words" 'the game failed.*could not be created' \
    "$(timeout 100 "$bout" play skirmish "$scratch/wander.bot" "$scratch/wander.bot" --seed 1 2>&1)"
said=$(timeout 100 "$bout" serve --data "$scratch/home" --listen 127.0.0.1:0 2>&1)
is "a service does not start with it" 3 $?
like "and says whose fault it is and where the map is" \
    'game skirmish \(.*DATA/maps/skirmish\).*organiser.s to mend' "$said"
rm -r "$scratch/home/maps"

# ---- at the service ------------------------------------------------------------
export BOUT_DATA=$data BOUT_CACHE=$scratch/service
mkdir -p "$data/maps/skirmish" && cp "$scratch/finals.map" "$data/maps/skirmish/"
serve_start --ladder-rate 0
new_user ann
api GET /v1/games/skirmish
is "the service has the version with the map" "$hidden" "$(get .version)"
enter_bot one skirmish $wander
enter_bot two skirmish $wander
play_match skirmish 1,2 "\"seed\":$seed"
is "a match is played" finished "$(get .status)"
curl -sS -m 60 "$server_site/v1/matches/$match/replay" >"$scratch/there.log"
ok "on the hidden map too" grep -q 'f\.f\.f\.#' "$scratch/there.log"
api POST "/v1/matches/$match/verify"
for _ in $(seq 90); do
    api GET "/v1/matches/$match"
    [ "$(get .verified)" = null ] || break
    sleep 1
done
is "the service verifies it" true "$(get .verified)"
serve_stop

export BOUT_DATA=$scratch/home BOUT_CACHE=$scratch/cache2
like "at home, without the map, the version is said to be missing" 'neither installed nor kept' \
    "$(timeout 100 "$bout" replay "$scratch/there.log" --verify "$scratch/wander.bot" "$scratch/wander.bot" 2>&1)"
serve_done
tap_done
