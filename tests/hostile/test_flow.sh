#!/usr/bin/env bash
# Control flow is closed: every program of flow/ tries to leave it and ends as
# its first comment says:
#   expect: VERDICT [DETAIL] [| VERDICT [DETAIL]]...     or    rejected WORDS
#   inputs: LINE, LINE...                                runs it once for each
# What must not be reached prints "came back" or "entered again"; a program that
# ends well prints "back". Two runs give one count.
cd "$(dirname "$0")/../.." && . tests/tap.sh
export BOUT_CACHE=$scratch/cache

comment() { # FIELD FILE
    sed -n "1,3s/^[/ ]\*\** *$1: \(.*\)/\1/p" "$2" | head -n 1
}

# One run: prints VERDICT DETAIL and what was printed
run_once() { # BOT INPUT
    printf '%s\n' "$2" >"$scratch/input"
    timeout 60 "$bout" count "$1" --input "$scratch/input" --limit 20000000 \
        --json 2>/dev/null
}

# Is "VERDICT DETAIL" one of those expected?
is_expected() { # SAID EXPECTED
    local one

    while read -r one; do
        [[ "$1" != "$one"* ]] || return 0
    done < <(sed 's/ *| */\n/g' <<<"$2")
    return 1
}

for source in tests/hostile/flow/*.c tests/hostile/flow/*.cpp; do
    name=$(basename "$source")
    expected=$(comment expect "$source")
    timeout 100 "$bout" build "$source" -o "$scratch/x.bot" --json \
        >"$scratch/build.json" 2>/dev/null
    if [[ $expected == rejected* ]]; then
        like "$name is refused" "${expected#rejected }" \
            "$(jq -r '.diagnostics[] | select(.severity == "error").message' "$scratch/build.json")"
        continue
    fi
    while read -r input; do
        last=$input
        document=$(run_once "$scratch/x.bot" "$input")
        said=$(jq -r '"\(.verdict) \(.detail)"' <<<"$document")
        printed=$(jq -r .stdout <<<"$document")
        is_expected "$said" "$expected"
        tap_report $? "$name ends as it must ($input)" "$said, expected: $expected"
        case $said in
        ok*) is "$name comes back where it may ($input)" "back" "$printed" ;;
        crash*) is "$name prints nothing ($input)" "" "$printed" ;;
        esac
    done < <(comment inputs "$source" | sed 's/, */\n/g' | grep . || echo)
    is "$name gives one count" "$(jq .instructions <<<"$document")" \
        "$(run_once "$scratch/x.bot" "$last" | jq .instructions)"
done
tap_done
