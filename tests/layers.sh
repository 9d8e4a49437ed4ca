#!/usr/bin/env bash
# Fails when a file includes a room that it must not know. The rules are
# README's "Rooms": a line each, `folder: what it may include`.
set -u
cd "$(dirname "$0")/.." || exit 2

rules='
runner/base:
profiler: runner/base profiler
instrument/meter: runner/base instrument profiler/record.def
instrument/bot: instrument/bot instrument/cost.def instrument/placement.def
instrument/library: instrument/bot instrument/cost.def profiler/profile.h profiler/record.h
db: runner/base db
runner/jail: runner/base runner/verdict.def instrument/bot instrument/cost.def
runner/build: runner/base runner/jail runner/build profiler instrument
runner/match: runner runner/verdict.def runner/game.h profiler instrument/bot instrument/cost.def
runner/games: runner/game.h runner/games runner/base
runner/work: runner db profiler
api/ladder: db runner/base api/ladder
api/http: runner db profiler api/ladder api/http instrument/cost.def
api/cli: runner db profiler api instrument
'
wrong=0
while IFS=: read -r room allowed; do
    [ -n "$room" ] || continue
    [ -d "$room" ] || continue
    while IFS=: read -r file _ include; do
        path=${include#*\"}
        path=${path%%\"*}
        case "$path" in */*) ;; *) continue ;; esac
        # Beside the file that includes it, not from the root.
        [ -d "${path%%/*}" ] || path=$(dirname "$file")/$path
        good=no
        for prefix in "$room" $allowed; do
            case "$path" in "$prefix" | "$prefix"/*) good=yes ;; esac
        done
        case "$path" in
        *_internal.h) [ "$(dirname "$path")" = "$(dirname "$file")" ] || good=no ;;
        esac
        if [ "$good" = no ]; then
            echo "$file includes $path: $room may include only: $room $allowed"
            wrong=1
        fi
    done < <(grep -rnE '^#include "' --include='*.c' --include='*.h' \
        --include='*.S' --include='*.def' "$room")
done <<<"$rules"
exit $wrong
