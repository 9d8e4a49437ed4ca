#!/usr/bin/env bash
# What the service tells of itself and of matches: profiles in every format, read
# by tools that are not ours; measures; its own profile as a stream.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

# A sample bot that names what it does.
{
    echo '#define main sample_main'
    cat runner/games/tron/sample_space.c
    cat <<'C'
#undef main
#include <bout/profile.h>
static char memory[PROFILE_BUFFER_BYTES];
int main(void)
{
    profile_initialize("space", memory, sizeof memory);
    profile_enable(1);
    profile_begin_block("play");
    sample_main();
    profile_end_block();
}
C
} >"$scratch/named.c"

serve_start --ladder-rate 0
token=$admin
api GET /v1/admin/profile
is "without --profile there is no profile of the service" 409 "$status"
serve_stop
serve_start --ladder-rate 0 --profile
token=
api GET /v1/admin/profile
is "nobody may see what the service does" 401 "$status"
new_user ann
ann=$token
api GET /v1/admin/profile
is "no user may" 403 "$status"
curl -sS -D "$scratch/head" -o "$scratch/stream" \
    -H "Authorization: Bearer $admin" "$server_site/v1/admin/profile?seconds=600" &
listener=$!

# ---- a match with a profile ------------------------------------------------------
enter_bot named tron "$scratch/named.c"
is "a bot that names its blocks becomes ready" ready "$(get .status)"
play_match tron "$bot,$bot" '"seed":7,"profile":true'
is "and plays" finished "$(get .status)"
count=$(get '.results[0].instructions')
turns=$(get .turns)
first=$match
sha=$(get .replay_sha256)

fetch() { # FORMAT
    curl -sS -o "$scratch/got.$1" -H "Authorization: Bearer $ann" -w \
        '%{http_code} %{content_type}' \
        "$site/v1/matches/$first/profile?slot=0&turn=0-$turns&format=$1&wait=60"
}
is "text" "200 text/plain; charset=utf-8" "$(fetch text)"
like "text has blocks and functions" "calls  block.*play.*  function" \
    "$(tr '\n' ' ' <"$scratch/got.text")"
is "json" "200 application/json" "$(fetch json)"
is "json: the turns add up to the count" "$count" \
    "$(jq '[.turns[].instructions] | add' "$scratch/got.json")"
is "json: the bot's own block is in its turns" true \
    "$(jq '[.turns[] | select(.turn > 0) | .blocks[] | select(.name == "play")] | length >= 10' "$scratch/got.json")"
is "json: it and the rest are the turn" true \
    "$(jq '[.turns[] | select(.blocks != []) | .blocks[0].instructions <= .instructions] | all' "$scratch/got.json")"
is "callgrind" 200 "$(fetch callgrind | cut -c1-3)"
is "callgrind: callgrind_annotate says the count" "$count" \
    "$(callgrind_annotate --auto=no "$scratch/got.callgrind" | tr -d , |
        awk '/PROGRAM TOTALS/ { print $1 }')"
is "pprof" 200 "$(fetch pprof | cut -c1-3)"
is "pprof: go's reader says the count" "$count" \
    "$(PPROF_TMPDIR=$scratch go tool pprof -top -nodefraction=0 "$scratch/got.pprof" 2>/dev/null |
        awk 'on && $1 ~ /^[0-9]+$/ { sum += $1 } /flat%/ { on = 1 } END { print sum }')"
is "folded" 200 "$(fetch folded | cut -c1-3)"
is "folded: the lines add up to the count" "$count" \
    "$(awk '{ sum += $NF } END { printf "%d", sum }' "$scratch/got.folded")"
is "speedscope" 200 "$(fetch speedscope | cut -c1-3)"
is "speedscope: the weights add up to the count" "$count" \
    "$(jq '[.profiles[] | select(.type == "sampled").weights[]] | add' "$scratch/got.speedscope")"
is "trace" 200 "$(fetch trace | cut -c1-3)"
is "trace: the turns add up to the count" "$count" \
    "$(jq '[.traceEvents[] | select(.cat == "turn").args.instructions] | add' "$scratch/got.trace")"
ok "trace: valid by its schema" python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
    "$scratch/got.trace" tests/profiler/trace.schema.json
is "lcov" 200 "$(fetch lcov | cut -c1-3)"
ok "lcov: lcov reads it" lcov --summary "$scratch/got.lcov"
is "lcov: the lines add up to the count" "$count" \
    "$(awk -F'[:,]' '/^DA:/ { sum += $3 } END { printf "%d", sum }' "$scratch/got.lcov")"
is "there is no other" 400 "$(fetch xml | cut -c1-3)"

# ---- taken by playing again -----------------------------------------------------
token=$ann
blocks=$(jq -c '[.turns[].blocks]' "$scratch/got.json")
play_match tron "$bot,$bot" '"seed":7'
first=$match
is "listening to a bot's blocks changed no byte" "$sha" "$(get .replay_sha256)"
is "a match without a profile gets one later" 200 "$(fetch json | cut -c1-3)"
is "with the same blocks" "$blocks" "$(jq -c '[.turns[].blocks]' "$scratch/got.json")"

# ---- measures ----------------------------------------------------------------------
token=
api GET "/v1/matches/$match/measures"
is "anybody sees what a match took" 200 "$status"
is "and of which machine" "$(uname -m) $(nproc --all)" \
    "$(get '"\(.host.CPU_ARCHITECTURE) \(.host.CPU_AVAILABLE_SYSTEM_CORES)"')"
is "its times are told" true \
    "$(get '.measures | .TIME_START < .TIME_STOP and .TIME_ELAPSED_WALL_CLOCK_MS > 0')"
is "load, memory and energy are told, or null" \
    "CPU_ENERGY_SYSTEM_JOULES CPU_USED_SYSTEM_PERCENT RAM_ENERGY_SYSTEM_JOULES RAM_USED_SYSTEM_MB" \
    "$(get '[.measures | keys[] | select(test("ENERGY|USED"))] | join(" ")')"
is "nothing tells where files lie" 0 "$(get 'tostring' | grep -c "$scratch")"

# A match that is long enough to be measured: its start-up takes some 10 ms.
{
    echo '#define main sample_main'
    cat runner/games/tron/sample_space.c
    cat <<'C'
#undef main
int main(void)
{
    for (volatile int i = 0; i < 15000000; i++) {
    }
    sample_main();
}
C
} >"$scratch/slow.c"
token=$ann
enter_bot slow tron "$scratch/slow.c"
play_match tron "$bot,$bot"
api GET "/v1/matches/$match/measures"
is "a match of more than 10 ms has load and memory" "number number" \
    "$(get '[.measures | (.CPU_USED_SYSTEM_PERCENT.avg, .RAM_USED_SYSTEM_MB.max) | type] | join(" ")')"

# ---- the service's own profile ------------------------------------------------------
sleep 2
serve_stop
is "the service ends while somebody listens" 0 "$stopped"
wait "$listener"
is "and the listener's stream with it, in order" 0 "$?"
like "it is sent in chunks" '[Tt]ransfer-[Ee]ncoding: chunked' "$(cat "$scratch/head")"
tree=$("$bout" profile --stream "$scratch/stream")
for block in request store compile match spawn turn /v1/matches; do
    like "its tree has $block" " $block( |$)" "$tree"
done
is "the stream has no damage" 0 "$(grep -c damaged <<<"$tree")"
serve_done
tap_done
