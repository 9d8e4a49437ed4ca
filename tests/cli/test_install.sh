#!/usr/bin/env bash
# make install: the installed program finds its library and games by itself, away
# from the tree.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
unset BOUT_LIBRARY BOUT_GAMES BOUT_METER
timeout 300 make install DESTDIR="$scratch/root" PREFIX=/usr BUILD="$BUILD" >"$scratch/said" 2>&1
is "make install is done" 0 $?
installed=$scratch/root/usr/bin/bout
cd "$scratch" || exit 2
is "its fingerprint is that of the tree" "$("$bout" fingerprint 2>&1)" "$("$installed" fingerprint 2>&1)"
like "it has the games" 'tron .* 2 to 4 bots' "$(timeout 200 "$installed" games 2>&1)"
timeout 60 "$installed" new tron --lang c mybot >/dev/null 2>&1
is "a first bot plays" ok "$(timeout 200 "$installed" play tron mybot mybot --seed 4 --json 2>"$scratch/said" |
    jq -r '.results[0].verdict')"

tap_done
