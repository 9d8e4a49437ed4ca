#!/usr/bin/env bash
# Every hostile bot of this folder plays a match and gets the verdict that its
# first comment states:
#   expect: VERDICT[; detail TEXT][; turn N][; status WORD][; score N]
#           [; game NAME][; against itself][; limit KEY=VALUE][; uncounted]
# A line that ends with ";" is continued. `turn` is the one at which it went out
# or, for a bot that plays to the end, the one whose status is looked at. Its
# opponent always ends ok, and the match played again gives the same log.
# `forbidden` and `net` cannot be had from C that the toolchain accepts:
# tests/unit/test_hostile.c has them from raw bots.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
cat >"$scratch/right.c" <<'C'
#include <stdio.h>
int main(void)
{
    char line[64];
    for (;;) {
        for (int i = 0; i < 7; i++)
            fgets(line, sizeof line, stdin);
        puts("6");
    }
}
C

play() { # GAME BOT BOT... OPTION...: the match's document, its log in $scratch/log
    timeout 60 "$bout" play "$@" --seed 7 --replay "$scratch/log" --json \
        2>"$scratch/said"
}

field() { # NAME: what the expectation says about it
    sed -n "s/.*[;:] $1 \([^;]*\).*/\1/p" <<<"$line"
}

for bot in tests/hostile/*.c; do
    name=$(basename "$bot" .c)
    line=$(awk '{ sub(/^ \* /, ""); sub(/ *\*\/$/, ""); text = text " " $0 }
        !/;$/ { print substr(text, 2); exit }' "$bot")
    verdict=$(sed -n 's/^.. expect: \([a-z]*\).*/\1/p' <<<"$line")
    game=$(field game)
    other=runner/games/tron/sample_wall.c
    [ "$game" != connect4 ] || other=$scratch/right.c
    [ -z "$(field against)" ] || other=$bot
    limits=$(grep -oE '; limit [a-z_]+=[0-9]+' <<<"$line" | sed 's/; limit/--limit/')

    rm -f "$scratch/log"
    # shellcheck disable=SC2086
    document=$(play "${game:-tron}" "$bot" "$other" $limits)
    got=$(jq -r '.results[0].verdict' <<<"$document" 2>/dev/null)
    is "$name: verdict" "$verdict" "${got:-$(cat "$scratch/said")}"
    [ -n "$got" ] || continue
    is "$name: its opponent ends ok" ok "$(jq -r '.results[1].verdict' <<<"$document")"
    detail=$(field detail) turn=$(field turn) status=$(field status) score=$(field score)
    [ -z "$detail" ] ||
        is "$name: detail" "$detail" "$(jq -r '.results[0].detail' <<<"$document")"
    [ -z "$score" ] ||
        is "$name: score" "$score" "$(jq -r '.results[0].score' <<<"$document")"
    last=$(jq -r 'select(.slots) | select(.slots[].slot == 0) | .turn' "$scratch/log" | tail -1)
    [ -z "$turn" ] || [ "$verdict" = ok ] ||
        is "$name: last turn" "$turn" "$last"
    entry=$(jq -c "select(.turn == ${turn:-$last}) | .slots[] | select(.slot == 0)" "$scratch/log")
    [ -z "$status" ] || is "$name: status" "$status" "$(jq -r .status <<<"$entry")"
    case $line in
    *uncounted*) is "$name: count" null "$(jq -r .instructions <<<"$entry")" ;;
    *) like "$name: count" '^[0-9]+$' "$(jq -r .instructions <<<"$entry")" ;;
    esac
    ok "$name: played again it is the same" \
        timeout 60 "$bout" replay "$scratch/log" --verify
done

tap_done
