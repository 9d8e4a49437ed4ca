#!/usr/bin/env bash
# The same numbers at home: every sample of every game is sent to a service and
# built here, and plays there and here against the next one with the same seed.
# Build hash, fingerprint, the instructions of each turn and every byte of the
# match log have to be equal.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh
. tests/games/samples.sh

seed=11

# enter_sample GAME NAME: in $bot, built at home to $scratch/GAME.NAME.bot.
enter_sample() {
    local path
    path=$(ls -d runner/games/"$1/sample_$2"{,.c,.cpp} 2>/dev/null)
    here=$(timeout 100 "$bout" build "$path" -o "$scratch/$1.$2.bot" --json)
    if [ -d "$path" ]; then
        tar -C "$path" -czf "$scratch/source.tar.gz" .
        path=$scratch/source.tar.gz
    fi
    enter_bot "$1-$2" "$1" "$path"
    is "$1: $2 is ready at the service" ready "$(get .status)"
    is "$1: $2 has the same build there and at home" "$(jq -r .build <<<"$here")" "$(get .build)"
    is "$1: $2, counted alone, is that build too" "$(get .build)" \
        "$(timeout 60 "$bout" count "$scratch/$1.$2.bot" --input /dev/null --json | jq -r .build)"
}

# play_both GAME ONE OTHER BOTS: there, and here with what was built here.
play_both() {
    play_match "$1" "$4" "\"seed\":$seed"
    is "$1: $2 against $3 is played" finished "$(get .status)"
    # Large answers go past the proxy, which looked at such rows elsewhere.
    curl -sS -m 60 "$server_site/v1/matches/$match/turns?limit=5000" |
        jq -r '.items[] | "\(.turn) \(.slot) \(.instructions)"' >"$scratch/there"
    curl -sS -m 60 "$server_site/v1/matches/$match/replay" >"$scratch/there.log"
    timeout 300 "$bout" play "$1" "$scratch/$1.$2.bot" "$scratch/$1.$3.bot" --seed $seed \
        --replay "$scratch/here.log" >/dev/null 2>&1
    jq -r 'select(.slots) | .turn as $turn | .slots[] | "\($turn) \(.slot) \(.instructions)"' \
        "$scratch/here.log" >"$scratch/here"
    ok "$1: $2 against $3: $(wc -l <"$scratch/here") turns, each with the same count" \
        diff "$scratch/there" "$scratch/here"
    ok "$1: $2 against $3: every byte of the log" cmp "$scratch/there.log" "$scratch/here.log"
    [ "$(wc -l <"$scratch/here")" -gt 8 ] || is "$1: there were turns to compare" many few
}

serve_start --ladder-rate 0
new_user ann
is "the fingerprint is this machine's" "$(timeout 60 "$bout" fingerprint | grep -oE '[0-9a-f]{64}' | head -1)" \
    "$(curl -sS "$site/v1/fingerprint" | jq -r .fingerprint)"
for game in "${!order[@]}"; do
    read -ra names <<<"${order[$game]}"
    ids=()
    for name in "${names[@]}"; do
        enter_sample "$game" "$name"
        ids+=("$bot")
    done
    for ((i = 1; i < ${#names[@]}; i++)); do
        play_both "$game" "${names[i]}" "${names[i - 1]}" "${ids[i]},${ids[i - 1]}"
    done
done

serve_stop
serve_done
tap_done
