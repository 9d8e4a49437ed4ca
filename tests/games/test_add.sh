#!/usr/bin/env bash
# bout games add: a game is tried before it is taken in, and is there for every
# command and the service afterwards; what lacks something is refused in words.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/api/serve.sh

export BOUT_CACHE=$scratch/cache BOUT_DATA=$data
new=$scratch/new
mkdir "$new"

refused() { # TEXT PATTERN: of $new/nim
    local said code
    said=$(timeout 100 "$bout" games add "$new/nim" 2>&1)
    code=$?
    like "$1" "$2" "$said"
    is "$1: exit code 1" 1 "$code"
}
fresh() { rm -rf "$new/nim" && cp -r docs/examples/nim "$new/nim"; }

fresh && rm "$new/nim/rules.md"
refused "no rules" 'rules.md'
fresh && rm "$new"/nim/sample_*
refused "no sample" 'sample bot'
fresh && rm "$new/nim/game.json"
refused "no game" 'holds no game'
fresh && sed -i 's/"name": "nim"/"name": "other"/' "$new/nim/referee.py"
refused "another name" 'says that it is other'
fresh && sed -i 's/random.Random(int(start\["seed"\]))/random.Random()/' "$new/nim/referee.py"
refused "a referee that draws by itself" 'not the same'
fresh && echo 'int main(void) { return missing; }' >"$new/nim/sample_a.c"
refused "a sample that does not build" 'does not build'
fresh && printf '#include <stdio.h>\nint main(void) { int n; while (scanf("%%d", &n) == 1) puts("x"); }\n' >"$new/nim/sample_a.c"
refused "a sample that does not play" 'sample_a.c does not play it: turn 1, illegal'
fresh && echo 'raise ValueError("no")' >"$new/nim/referee.py"
refused "a referee that breaks" 'the game failed.*no'
cp -r docs/examples/nim "$new/tron" && sed -i 's/"nim"/"tron"/' "$new/tron/referee.py"
said=$(timeout 100 "$bout" games add "$new/tron" 2>&1)
like "the name of a game that is there" 'a game tron already' "$said"
ok "nothing was taken in" test ! -e "$data/games/nim"

fresh
said=$(timeout 100 "$bout" games add "$new/nim" 2>&1)
is "a good one is taken in" 0 $?
like "and told" 'nim .Nim. is in .*next start' "$said"
rm -rf "$new/nim"
like "it is listed with the others" '^nim .*^race|nim ' "$(timeout 200 "$bout" games 2>&1)"
is "and played" ok "$(timeout 100 "$bout" play nim docs/examples/nim/sample_sum.c docs/examples/nim/sample_greedy.c \
    --seed 2 --json 2>/dev/null | jq -r '.results[0].verdict')"

# A game in C: its runtime comes from the program.
sed -n "/^cat >games.nim.nim.c <<'END'/,/^END/p" docs/organiser.md | sed '1d;$d' >"$scratch/nim.c"
mkdir "$new/sticks" && sed 's/"nim"/"sticks"/; s/"Nim"/"Sticks"/' "$scratch/nim.c" >"$new/sticks/sticks.c"
echo rules >"$new/sticks/rules.md"
cp docs/examples/race/sample_one.c "$new/sticks/"
said=$(timeout 100 "$bout" games add "$new/sticks" 2>&1)
is "a game in C is taken in" 0 $?
ok "and a second time" timeout 100 "$bout" games add "$new/sticks"

BOUT_DATA='' BOUT_WORKERS=1 serve_start --registration open
new_user me
api GET /v1/games
is "the service has both" "nim sticks" "$(get '[.items[].name | select(. == "nim" or . == "sticks")] | join(" ")')"
enter_bot one sticks docs/examples/race/sample_one.c
is "and takes bots for it" ready "$(get .status)"
serve_stop
serve_done
tap_done
