#!/usr/bin/env bash
# What every game folder has to keep: rules whose example bot compiles and plays,
# a golden match, a viewer for its states, samples of clearly different strength
# in C and C++ (at length: tests/soak/soak_samples.sh). GAMES_ONLY="tron" leaves
# the other games out.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/games/samples.sh

export BOUT_CACHE=$scratch/cache
matches=12

for folder in runner/games/*/; do
    game=$(basename "$folder")
    [ -f "$folder/rules.md" ] || continue
    case " ${GAMES_ONLY:-$game} " in *" $game "*) ;; *) continue ;; esac
    read -ra names <<<"${order[$game]:-}"
    for sample in "$folder"sample_*; do
        name=$(basename "${sample%.*}")
        timeout 100 "$bout" build "$sample" -o "$scratch/$game.${name#sample_}.bot" >/dev/null 2>&1
    done
    is "$game: the test knows all samples" "$(printf '%s\n' "${names[@]}" | sort | xargs)" \
        "$(basename -a "$scratch/$game".*.bot | sed -E 's/.*\.(.*)\.bot/\1/' | sort | xargs)"
    ok "$game: samples in C and in C++" bash -c "ls $folder/sample_*.c && ls $folder/sample_*.cpp"

    # The example bot of rules.md, as it stands there.
    sed -n '/#include/,$s/^    //p' "$folder/rules.md" >"$scratch/example.c"
    timeout 100 "$bout" play "$game" "$scratch/example.c" "$scratch/$game.${names[0]}.bot" --seed 3 \
        --json >"$scratch/json" 2>"$scratch/said"
    is "$game: the bot in rules.md plays" ok "$(jq -r '.results[0].verdict' "$scratch/json")"

    # A match played again years later shows the same (counts may change).
    timeout 100 "$bout" play "$game" "$scratch/$game.${names[2]}.bot" "$scratch/$game.${names[0]}.bot" \
        --seed 7 --limit turns=9 --replay "$scratch/log" >/dev/null 2>&1
    jq -c 'if .slots then [.turn, (.slots[] | [.slot, .view, .reply, .status])]
        elif .results then [.results[] | [.slot, .rank, .score, .verdict]] else empty end' \
        "$scratch/log" >"$scratch/golden"
    golden=tests/games/golden/$game.jsonl
    [ -z "${GAMES_GOLDEN:-}" ] || cp "$scratch/golden" "$golden"
    ok "$game: the golden match is the same" diff "$golden" "$scratch/golden"

    timeout 60 "$bout" watch "$scratch/log" --states >"$scratch/states"
    like "$game: its viewer draws every state" '^10 drawn$' "$(timeout 20 node --input-type=module -e "
        import { readFileSync } from 'node:fs';
        import { view } from '$PWD/$folder/viewer.js';
        const states = readFileSync('$scratch/states', 'utf8').trim().split('\n').map(JSON.parse);
        const drawn = states.map(view).filter((svg) => /^<svg .*<\/svg>\$/s.test(svg) && !/undefined|NaN/.test(svg));
        console.log(new Set(drawn).size + ' drawn');" 2>&1)"

    for ((i = 1; i < ${#names[@]}; i++)); do
        rate=$(timeout 580 "$bout" test "$scratch/$game.${names[i]}.bot" --game "$game" --seed 1 \
            --against "$scratch/$game.${names[i - 1]}.bot" --matches "$matches" --json |
            jq '.opponents[0].rate')
        ok "$game: ${names[i]} beats ${names[i - 1]} ($rate)" jq -en "${rate:-0} > 0.6"
    done
done

tap_done
