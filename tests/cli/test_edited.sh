#!/usr/bin/env bash
# Logs that were edited, their chain made whole again: replay --verify refuses
# them with exit code 1 and the reason, and never fails as a machine does (3).
# So are builds whose layout says what no box can be made for.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
tron=runner/games/tron

play() { # GAME BOT BOT... OPTION...
    timeout 100 "$bout" play "$@" 2>"$scratch/said"
}

verify() { # LOG
    timeout 100 "$bout" replay "$1" --verify 2>&1
}

# Whoever edits a log can make its chain whole again: playing it shows it.
rechain() { # LOG: with the chain of what is in it now
    local sum line bare
    IFS= read -r line <"$1"
    printf '%s\n' "$line"
    sum=$(printf '%s' "$line" | sha256sum | cut -c1-64)
    tail -n +2 "$1" | while IFS= read -r line; do
        bare="${line%,\"chain\":*}}"
        sum=$(printf '%s%s' "$sum" "$bare" | sha256sum | cut -c1-64)
        printf '%s,"chain":"%s"}\n' "${bare%?}" "$sum"
    done
}
edited() { # TEXT JQ-FILTER PATTERN: of the head, or of all lines
    jq -c "$2" "$scratch/short5.log" >"$scratch/edit" &&
        rechain "$scratch/edit" >"$scratch/edited.log"
    said=$(verify "$scratch/edited.log")
    is "edited $1: exit code 1" 1 $?
    like "edited $1: says why" "$3" "$said"
}
play tron $tron/sample_space.c $tron/sample_wall.c --seed 8 --limit turns=5 \
    --replay "$scratch/short5.log" >/dev/null
rechain "$scratch/short5.log" >"$scratch/edited.log"
like "the chain made by hand is the real one" '^verified' "$(verify "$scratch/edited.log")"
edited "game name" 'if .game then .game = "connect4" else . end' "referee says that it is 'tron'"
edited "unknown game" 'if .game then .game = "chess" | .game_version = "0" * 64 else . end' 'no game chess'
edited "seed" 'if .seed then .seed = 9 else . end' 'slot 0: its build'
edited "reply" 'if .turn == 1 then .slots[0].reply = "D\n" else . end' 'differs from the log in line 3'
edited "instructions" 'if .turn == 2 then .slots[1].instructions += 1 else . end' 'differs from the log in line 4'
edited "score" 'if .results then .results[0].score += 1 else . end' 'differs from the log in line 8'
edited "fingerprint" 'if .game then .fingerprint = "0" * 64 else . end' 'line 1'
for limit in $(head -1 "$scratch/short5.log" | jq -r '.limits | keys[]'); do
    case $limit in
    view_bytes | memory_bytes | reply_bytes | turns) values='1 9007199254740991' ;;
    *) values=1 ;;
    esac
    for value in $values; do
        jq -c "if .game then .limits.$limit = $value else . end" "$scratch/short5.log" \
            >"$scratch/edit" && rechain "$scratch/edit" >"$scratch/edited.log"
        said=$(verify "$scratch/edited.log")
        code=$?
        # A limit that nothing in the match met may well be another one.
        like "edited $limit=$value: verified or refused with a reason" \
            '^(0 verified|1 bout replay: .*(differs from the log|limit|less than))' "$code $said"
    done
done
# ---- builds, their manifest made right again ------------------------------------
"$bout" build $tron/sample_wall.c -o "$scratch/wall.bot" >/dev/null 2>&1
mkdir "$scratch/members"
tar -xf "$scratch/wall.bot" -C "$scratch/members"
layout() { # JQ-FILTER: of layout.json
    local member=$scratch/members/layout.json
    [ -f "$scratch/layout" ] || cp "$member" "$scratch/layout"
    jq -c "$1" "$scratch/layout" >"$member"
    old=$(sha256sum "$scratch/layout" | cut -c1-64)
    [ -f "$scratch/manifest" ] || cp "$scratch/members/manifest.json" "$scratch/manifest"
    sed "s/$old/$(sha256sum "$member" | cut -c1-64)/" "$scratch/manifest" \
        >"$scratch/members/manifest.json"
    (cd "$scratch/members" && tar -cf "$scratch/edited.bot" manifest.json \
        $(tar -tf "$scratch/wall.bot" | grep -v manifest))
    said=$(timeout 60 "$bout" count "$scratch/edited.bot" 2>&1 >/dev/null </dev/null)
}
layout .
is "the build made by hand is read" 0 $?
for edit in '.data_bytes = -1' '.data_bytes = 9007199254740991' '.counters = -1' \
    '.counters = 9007199254740991' '.counters = "x"' 'del(.data_bytes)'; do
    layout "$edit"
    is "a build with $edit is refused" 1 $?
    like "and why" 'is not whole: build it again' "$said"
done

tap_done
