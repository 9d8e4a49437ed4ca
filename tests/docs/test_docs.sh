#!/usr/bin/env bash
# The pages of docs/: every line of their sh blocks runs, in order, a page in a
# folder of its own; generated parts (limits, what things cost) are right.
#   DOCS_WRITE=1 tests/docs/test_docs.sh   writes the generated parts anew
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache PATH=$BUILD:$PATH
export GAMES=$PWD/runner/games
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export SITE=http://127.0.0.1:$port
export XDG_CONFIG_HOME=$scratch/config
docs=$PWD/docs
export EXAMPLES=$docs/examples

# ---- the generated parts -----------------------------------------------------
# between FILE: the lines from "<!-- generated -->" to "<!-- end -->".
between() { sed -n '/^<!-- generated -->$/,/^<!-- end -->$/p' "$1"; }

replace() { # FILE NEW: writes the generated part of a page
    awk -v new="$2" '
        /^<!-- generated -->$/ {print; while ((getline line <new) > 0) print line; inside = 1}
        /^<!-- end -->$/ {inside = 0}
        !inside {print}' "$1" >"$scratch/page" && cp "$scratch/page" "$1"
}

{
    echo '```'
    "$bout" limits
    echo '```'
} >"$scratch/limits"
[ -z "${DOCS_WRITE:-}" ] || replace "$docs/limits.md" "$scratch/limits"
is "limits.md has the limits of bout limits" "$(cat "$scratch/limits")" \
    "$(between "$docs/limits.md" | sed '1d;$d')"

timeout 200 "$bout" build tests/docs/things.cpp -o "$scratch/things.bot" >/dev/null 2>&1
count() { # THING N: its instructions
    echo "$2 $1" >"$scratch/in"
    timeout 60 "$bout" count "$scratch/things.bot" --input "$scratch/in" 2>&1 >/dev/null |
        sed -n '$s/^instructions //p'
}
each() { echo $((($(count "$1" 2000) - $(count "$1" 1000)) / 1000)); }
if [ -n "${DOCS_WRITE:-}" ]; then
    printf '| thing | instructions |\n|---|---|\n' >"$scratch/things"
    sed -nE 's/^    \{"(.*)",$/\1/p' tests/docs/things.cpp | while read -r thing; do
        echo "| $thing | $(each "$thing") |"
    done >>"$scratch/things"
    replace "$docs/counting.md" "$scratch/things"
fi
things=0
while IFS='|' read -r _ thing told _; do
    thing=$(xargs <<<"$thing") told=$(xargs <<<"$told")
    now=$(each "$thing")
    ok "counting.md: $thing costs about $told ($now now)" \
        jq -en "($now >= $told * 0.8 - 1) and ($now <= $told * 1.2 + 1)"
    things=$((things + 1))
done < <(between "$docs/counting.md" | grep -E '^\| .* [0-9]+ \|$')
is "every thing that is measured is in the page" \
    "$(grep -cE '^    \{"' tests/docs/things.cpp)" "$things"

# ---- every command -----------------------------------------------------------
BOUT_WORKERS=1 timeout 500 "$bout" serve --data "$scratch/data" --listen "${SITE#http://}" \
    --registration open >"$scratch/serve.out" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
for _ in $(seq 300); do
    curl -fsS "$SITE/readyz" >/dev/null 2>&1 && break
    sleep 0.2
done
for page in "$docs"/*.md; do
    name=$(basename "$page")
    mkdir "$scratch/$name.d"
    awk '/^```$/ {inside = 0} inside {print} /^```sh$/ {inside = 1}' "$page" >"$scratch/$name.sh"
    [ -s "$scratch/$name.sh" ] || continue
    said=$(cd "$scratch/$name.d" && timeout 300 bash -e -o pipefail "$scratch/$name.sh" 2>&1)
    tap_report $? "$name: every command works" "$(tail -15 <<<"$said")"
    [ "$name" != rest.md ] || like "rest.md: the match was played" '"verdict": "ok"' "$said"
    [ "$name" != rest.md ] || like "rest.md: the profile is there" '^1,0,' "$said"
    [ "$name" != organiser.md ] || like "organiser.md: the clever one wins" '1 +0 +1 +ok .* clever.c' "$said"
done
ok "every page is in the list of docs/README.md" \
    bash -c "for page in '$docs'/*.md; do name=\$(basename \$page); [ \$name = README.md ] || grep -q \"(\$name)\" '$docs/README.md' || exit 1; done"

tap_done
