#!/usr/bin/env bash
# The order of each game's samples by win rate: every pair plays MATCHES matches
# (500) from each of SEEDS (three), half of them from either side, jailed and
# counted; the order has to be the same from each seed, and the one that
# tests/games/samples.sh tells. SAMPLES_GAMES="tron" leaves the other games out.
# Some minutes a game and seed; the tables are TAP comments.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/games/samples.sh

export BOUT_CACHE=$scratch/cache
matches=${MATCHES:-500}
seeds=${SEEDS:-1 100001 200001}

# rates GAME SEED NAME...: "winner loser rate" a line, both ways round.
rates() {
    local game=$1 seed=$2 rate
    shift 2
    while [ $# -gt 1 ]; do
        for other in "${@:2}"; do
            rate=$(timeout 7200 "$bout" test "$scratch/$game.$1.bot" --game "$game" --seed "$seed" \
                --against "$scratch/$game.$other.bot" --matches "$matches" --json |
                jq '.opponents[0].rate')
            awk -v a="$1" -v b="$other" -v r="${rate:--1}" 'BEGIN { print a, b, r; print b, a, 1 - r }'
        done
        shift
    done
}

for game in ${SAMPLES_GAMES:-${!order[@]}}; do
    read -ra names <<<"${order[$game]}"
    for name in "${names[@]}"; do
        sample=$(ls -d runner/games/"$game/sample_$name"{,.c,.cpp} 2>/dev/null)
        ok "$game: $name builds" timeout 100 "$bout" build "$sample" -o "$scratch/$game.$name.bot"
    done
    for seed in $seeds; do
        rates "$game" "$seed" "${names[@]}" >"$scratch/rates"
        sed "s/^/# $game seed $seed: /" "$scratch/rates"
        # Mean rate over all others, the weakest first.
        means=$(awk '{ sum[$1] += $3; count[$1]++ } END { for (n in sum) printf "%.3f %s\n", sum[n] / count[n], n }' \
            "$scratch/rates" | sort -n)
        echo "# $game seed $seed: $(xargs <<<"$means")"
        is "$game: the order of its samples, seed $seed, $matches matches a pair" \
            "${names[*]}" "$(cut -d' ' -f2 <<<"$means" | xargs)"
    done
done

tap_done
