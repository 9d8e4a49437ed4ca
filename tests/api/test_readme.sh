#!/usr/bin/env bash
# The README's blocks, pasted as they stand: the first bot, the lines for a
# running service (twice: a second visit must work as well), those without one.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
readme=$PWD/README.md
port=127.0.0.1:18123

# block LANGUAGE NUMBER: the text of the NUMBERth ```LANGUAGE block.
block() {
    awk -v language="$1" -v wanted="$2" '
        /^```$/ {inside = 0}
        inside && count == wanted {print}
        $0 == "```" language {inside = 1; count++}' "$readme"
}

BOUT_DATA=$scratch/data BOUT_LISTEN=$port timeout 400 \
    api/cli/run.sh "$BUILD" >"$scratch/run.out" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
# All of them, so that no build of theirs is in the visitor's way.
samples=$(ls -d runner/games/*/sample_* | wc -l)
for _ in $(seq 900); do
    [ "$(curl -s "http://$port/v1/bots?limit=50" |
        jq '[.items[] | select(.status == "ready")] | length')" = "$samples" ] && break
    sleep 0.3
done
is "the sample bots are on the leaderboard" "$(ls -d runner/games/connect4/sample_* | wc -l)" \
    "$(curl -s "http://$port/v1/leaderboard?game=connect4" | jq '.items | length')"

ln -s "$PWD/build" "$scratch/build"
ln -s "$PWD/runner" "$scratch/runner"
cd "$scratch" || exit 2
block c 1 >first.c
block sh 1 | sed "s|127.0.0.1:8080|$port|" >online.sh
for visit in first second; do
    said=$(timeout 100 bash online.sh 2>&1)
    like "$visit visit: the bot is ready" '"status":"ready"' "$said"
    like "$visit visit: the match is finished" '"status":"finished"' "$said"
    like "$visit visit: the turns are there" '^1,0,ok,[0-9]+,' "$said"
    like "$visit visit: so is the profile" 'instructions in 1 turn' "$said"
    sleep 1.1
done
block sh 2 >offline.sh
said=$(timeout 100 bash -e offline.sh 2>&1)
is "without a server: every line works" 0 $?
like "the count comes last on stderr" 'instructions [0-9]+' "$said"
like "the replay is verified" 'verified' "$said"
block sh 3 >kit.sh
said=$(timeout 200 bash -e kit.sh 2>&1)
is "the kit: every line works" 0 $?
like "the kit: test gives a rate" 'sample_wall.c .* to ' "$said"
like "the kit: why tells the place" 'slot 0: place [12] of 2' "$said"
tap_done
