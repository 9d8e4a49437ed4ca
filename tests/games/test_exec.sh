#!/usr/bin/env bash
# Referees in other languages: the examples of docs/examples play, are the same
# when played again, and take what odd bots do; in the service one that breaks
# is a failure of ours and no bot's.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/api/serve.sh

export BOUT_CACHE=$scratch/cache BOUT_GAMES=$scratch/games
mkdir "$BOUT_GAMES" && cp -r docs/examples/* "$BOUT_GAMES"

bot() { # NAME CODE: what it does for each line that it reads
    printf '#include <stdio.h>\n#include <stdlib.h>\nint main(void){char l[99];while(fgets(l,99,stdin)){%s}}\n' "$2" \
        >"$scratch/$1.c"
}
bot silent ';'
bot rude 'puts("\"}]}");'
bot binary 'putchar(255);putchar(0);'
bot leaver 'puts("1 1");exit(0);'
bot crash '*(volatile char*)0=1;'

for game in nim race; do
    sample=$(ls "$BOUT_GAMES/$game"/sample_*.c | head -1)
    sed -n '/#include/,$s/^    //p' "$BOUT_GAMES/$game/rules.md" >"$scratch/example.c"
    timeout 100 "$bout" play "$game" "$scratch/example.c" "$sample" --seed 3 --replay "$scratch/log" --json \
        >"$scratch/json" 2>"$scratch/said"
    is "$game: the bot in rules.md plays" ok "$(jq -r '.results[0].verdict' "$scratch/json")"
    ok "$game: played again it is the same" timeout 100 "$bout" replay "$scratch/log" --verify
    for odd in silent:ok rude:illegal binary:illegal crash:crash; do
        verdict=$(timeout 100 "$bout" play "$game" "$sample" "$scratch/${odd%:*}.c" --seed 3 --json 2>"$scratch/said" |
            jq -r '.results | map(.verdict) | join(" ")')
        is "$game: against a ${odd%:*} bot" "ok ${odd#*:}" "$verdict"
    done
done
verdict=$(timeout 100 "$bout" play nim "$scratch/leaver.c" "$BOUT_GAMES/nim/sample_sum.c" --seed 3 --json 2>"$scratch/said" |
    jq -r '.results | map(.verdict + " " + (.rank | tostring)) | join(", ")')
is "nim: who leaves after a move has lost" "exit 2, ok 1" "$verdict"

mkdir "$BOUT_GAMES/broken"
cp "$BOUT_GAMES"/nim/{game.json,referee.py,sample_sum.c} "$BOUT_GAMES/broken"
sed -i 's/"nim"/"broken"/; s/^    for line in sys.stdin:/&\n        if game.step == 2: raise ValueError("no third step")/' \
    "$BOUT_GAMES/broken/referee.py"
said=$(timeout 100 "$bout" play broken docs/examples/nim/sample_greedy.c docs/examples/nim/sample_greedy.c --seed 1 2>&1)
is "a referee that breaks is our failure" 3 $?
like "its last words are told" 'the game failed.*no third step' "$said"

# One that breaks with a certain limit alone, so not in the smoke match.
mkdir "$BOUT_GAMES/fragile"
cp "$BOUT_GAMES"/nim/{game.json,referee.py,sample_sum.c} "$BOUT_GAMES/fragile"
sed -i 's/"nim"/"fragile"/; s/^        chance = random.Random/        assert start["turns"] != 7, "no seven turns"\n&/' \
    "$BOUT_GAMES/fragile/referee.py"

# The smoke match of a version is a match of the game, too.
BOUT_WORKERS=1 serve_start --registration open
new_user me
enter_bot one nim docs/examples/nim/sample_sum.c
one=$bot
is "the service takes a bot for a game in Python" ready "$(get .status)"
enter_bot two nim docs/examples/nim/sample_greedy.c
play_match nim "$one,$bot" '"seed":5'
is "a match is played" "finished ok ok" "$(get '[.status, (.results[] | .verdict)] | join(" ")')"
api POST "/v1/matches/$match/verify"
await "/v1/matches/$match"
for _ in $(seq 100); do
    api GET "/v1/matches/$match"
    [ "$(get .verified)" = null ] || break
    sleep 0.2
done
is "and is the same when played again" true "$(get .verified)"
enter_bot three broken docs/examples/nim/sample_sum.c
like "a bot for the broken game is not to blame" 'no third step' "$body$(cat "$scratch/serve.err")"
enter_bot four fragile docs/examples/nim/sample_sum.c
is "a bot for the fragile game is ready" ready "$(get .status)"
play_match fragile "$bot,$bot" '"limits":{"turns":7}'
is "a referee that breaks fails the match, after three attempts" "failed null" \
    "$(get '"\(.status) \(.results)"')"
like "with its last words" 'the game failed.*no seven turns' "$(get .reason)"
serve_stop
serve_done
tap_done
