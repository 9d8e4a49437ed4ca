#!/usr/bin/env bash
# The commands that talk to a service: login, submit, match, leaderboard, log.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

export XDG_CONFIG_HOME=$scratch/config
unset BOUT_TOKEN BOUT_SERVER
serve_start --ladder-rate 0 --registration open
export BOUT_SERVER=$site/
games=runner/games/connect4

# run COMMAND...: output in $out, errors in $said, the exit code in $code.
run() {
    out=$(timeout 200 "$bout" "$@" 2>"$scratch/said" </dev/null)
    code=$?
    said=$(cat "$scratch/said")
}

# ---- a token ------------------------------------------------------------------
run submit "$games/sample_search.c" --game connect4
is "no token: refused" 1 $code
like "and bout login is named" 'bout login' "$said"
run login ada
is "a new user" "0 $site: the token is saved" "$code $out"
is "readable by its owner alone" 600 "$(stat -c %a "$scratch/config/bout/tokens.json")"
run login ada
is "a name that is taken" 1 $code
like "is told" 'ada|name' "$said"
saved=$(jq -r --arg site "$site" '.[$site]' "$scratch/config/bout/tokens.json")
printf '%s\n' "$saved" | timeout 60 "$bout" login >"$scratch/out" 2>&1
is "a token from standard input" 0 $?
run login --token bout_wrong
is "a token that the service does not know is refused" 1 $code
is "and not saved" "$saved" "$(jq -r --arg site "$site" '.[$site]' "$scratch/config/bout/tokens.json")"

# ---- bots ---------------------------------------------------------------------
run submit "$games/sample_search.c" --game connect4
is "a sample is ready" "0 sample_search version 1, id 1: ready" "$code $out"
mkdir -p "$scratch/rider/parts"
cat >"$scratch/rider/bot.c" <<'C'
#include <stdio.h>
#include "parts/pick.h"
int main(void)
{
    int turn, you, columns, rows;
    char row[6][8];
    while (scanf("%d %d %d %d", &turn, &you, &columns, &rows) == 4) {
        for (int i = 0; i < rows; i++)
            scanf("%7s", row[i]);
        fprintf(stderr, "turn %d\n", turn);
        printf("%d\n", pick(row[0], columns));
    }
}
C
cat >"$scratch/rider/parts/pick.h" <<'C'
static inline int pick(const char *top, int columns)
{
    int column = 3;
    while (top[column] != '.')
        column = (column + 1) % columns;
    return column;
}
C
run submit "$scratch/rider" --game connect4 --json
is "a folder with a header in a folder is ready" '0 ready rider' \
    "$code $(jq -r '.status + " " + .name' <<<"$out")"
rider=$(jq .id <<<"$out")
echo 'int main(void) { return x; }' >"$scratch/wrong.c"
run submit "$scratch/wrong.c" -g connect4 -n rider
is "a bot that does not compile is refused" 1 $code
like "with the compiler's line" '^wrong.c:1: error: .*x' "$said"
like "and its version" 'rider version 2, id [0-9]+: rejected' "$out"
run submit "$scratch/wrong.c" --game chess
is "an unknown game is refused" 1 $code
like "with the field" 'game: is not played here' "$said"
run submit "$scratch/wrong.c" --game connect4 --name 'a b'
like "a bad name is refused" '^bout submit: name: ' "$said"
run submit "$scratch/nothing.c" --game connect4
is "a file that is missing is refused" 1 $code
run submit "$scratch/wrong.c"
is "without --game: usage" 2 $code
like "and what would say it" 'bout.json' "$said"
run new connect4 "$scratch/noted"
run submit "$scratch/noted"
is "the folder's bout.json says which game" "0 noted version 1" "$code ${out%%,*}"

# ---- matches ------------------------------------------------------------------
run match connect4 rider sample_search:1 --seed 7 --limit turn_soft=9000000
is "a match by names is played" 0 $code
like "its table names the bots" '^ +0 +rider +2 +[12] +' "$out"
like "and verdicts" 'sample_search .*  ok' "$out"
match=$(sed -n 's/^match \([0-9]*\): finished$/\1/p' <<<"$out")
run match "$match" --json
is "it can be shown again, with its seed" '7 9000000' \
    "$(jq -r '"\(.seed) \(.limits.turn_soft)"' <<<"$out")"
counts=$(jq -c '[.results[].instructions]' <<<"$out")
run match connect4 "$rider" 1 --seed 7 --json
is "the same by ids, whose counts are equal" "$counts" \
    "$(jq -c '[.results[].instructions]' <<<"$out")"
run match connect4 rider:2 sample_search
is "a version that is not ready conflicts" 1 $code
run match connect4 rider:9 sample_search
like "a version that is not there is named" 'no version 9' "$said"
run match connect4 nobody sample_search
like "a bot that is not there is named" 'no bot nobody' "$said"
run match connect4 rider sample_search --limit turn_soft=99999999
like "a limit that is raised is refused" 'turn_soft' "$said"
run match connect4 rider sample_search --limit turn_soft
is "a limit without value is refused" 1 $code
run match 4711
is "a match that is not there" 1 $code

# ---- what it left -------------------------------------------------------------
run log "$match" --slot 0
is "the bot's standard error" "turn 1" "$(head -1 <<<"$out")"
run log "$match" --slot 0 --turn 3
is "of one turn" "turn 3" "$out"
run log "$match" --slot 1
is "another's is his own where he is" 0 $code # both are ada's
run log "$match" --match -o "$scratch/match.log"
is "the match log is fetched" 0 $code
run why "$scratch/match.log"
is "and why reads it" 0 $code
run leaderboard connect4
like "the leaderboard has its heading" '^rank +bot +version' "$out"
like "and the bots" '^ +1  (rider|sample_search) +1  ada +1500 ' "$out"
run leaderboard connect4 --json
is "in JSON all three" 3 "$(jq '.items|length' <<<"$out")"
run leaderboard chess
is "no such game" 1 $code

# ---- what bots print, on a terminal and in a table ---------------------------------
# Standard output is a terminal; nothing of a bot's may steer it.
tty() {
    python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' \
        sh -c 'exec timeout 100 "$@" 2>/dev/null' sh "$bout" "$@" </dev/null
}
esc=$(printf '\033')
cat >"$scratch/steer.c" <<'C'
#include <stdio.h>
int main(void)
{
    int turn, you, columns, rows;
    char row[6][8];
    printf("=cmd|'/C calc'!A0 \033[2J\n"); /* turn 0: recorded, no move */
    while (scanf("%d %d %d %d", &turn, &you, &columns, &rows) == 4) {
        int column = 3;
        for (int i = 0; i < rows; i++)
            scanf("%7s", row[i]);
        while (row[0][column] != '.')
            column = (column + 1) % columns;
        fprintf(stderr, "\033]0;owned\a\302\2332J\n");
        printf("%d\n", column);
    }
}
C
run submit "$scratch/steer.c" --game connect4
like "a bot that prints escapes and formulas beside its moves" 'steer version 1, id [0-9]+: ready' "$out"
run match connect4 steer sample_search
third=$(sed -n 's/^match \([0-9]*\): finished$/\1/p' <<<"$out")
run log "$third" --match -o "$scratch/steer.log"
for command in "log $third --slot 0" "replay $scratch/steer.log" \
    "play connect4 $scratch/steer.c $games/sample_random.c --seed 1" "match $third" \
    "why $scratch/steer.log"; do
    shown=$(tty $command)
    like "${command%% *} on a terminal" '[a-z]' "$shown"
    is "shows nothing of a bot's as an escape" 0 "$(grep -c "$esc\|$(printf '\302\233')" <<<"$shown")"
done
like "but what it was" '\\x1b\]0;owned\\x07' "$(tty log "$third" --slot 0)"
curl -sS -m 60 "$site/v1/matches/$third/turns?format=csv" >"$scratch/turns.csv"
like "a formula in a table is text" "^0,0,.*,\"'=cmd\|'/C calc'!A0 " "$(sed -n 2p "$scratch/turns.csv")"
like "and the exact bytes are in JSON" '=cmd' \
    "$(curl -sS -m 60 "$site/v1/matches/$third/turns?limit=1" | jq -r '.items[0].reply')"

# ---- whose log ----------------------------------------------------------------
XDG_CONFIG_HOME=$scratch/eve run login eve
XDG_CONFIG_HOME=$scratch/eve run submit "$scratch/rider" --game connect4 --name eves
XDG_CONFIG_HOME=$scratch/eve run match connect4 sample_search eves
second=$(sed -n 's/^match \([0-9]*\): finished$/\1/p' <<<"$out")
XDG_CONFIG_HOME=$scratch/eve run log "$second"
is "without --slot the log of the own bot, in slot 1" '0 turn 2 ' "$code $(head -1 <<<"$out") $said"
run log "$match"
like "of two own bots it is said which" 'slot 0, --slot N' "$said"
XDG_CONFIG_HOME=$scratch/eve run log "$match"
is "where none is one's own" 1 $code
like "it is said" 'no bot of eve' "$said"
run login --invitation wrong
is "an invitation without a name: usage" 2 $code

# ---- the same toolchain -------------------------------------------------------
run doctor --server "$site"
like "the doctor says that counts are the same there" '^ok +toolchain' "$out"
BOUT_STRICT_NAN=1 run doctor --server "$site" --json
is "or that they may differ" false "$(jq .toolchain.equal <<<"$out")"
run doctor --server http://127.0.0.1:1
is "no service is a failure of ours" 3 $code

# ---- another user, no service -------------------------------------------------
XDG_CONFIG_HOME=$scratch/other run login bob
XDG_CONFIG_HOME=$scratch/other run log "$match" --slot 0
is "another's standard error stays his" 1 $code
serve_stop
serve_start --ladder-rate 0 --registration invitation
token=$admin
post /v1/invitations '{"label":"friends","uses":1}'
XDG_CONFIG_HOME=$scratch/frank run login frank --server "$site" --invitation wrong
is "an invitation that is none is refused" 1 $code
XDG_CONFIG_HOME=$scratch/frank run login frank --server "$site" --invitation "$(get .invitation)"
is "with an invitation a user is let in" "0 $site: the token is saved" "$code $out"
serve_stop
run leaderboard connect4
is "no service: exit code 3" 3 $code
like "and what to do" '--server' "$said"
run leaderboard connect4 --server nowhere
is "an address that is none" 1 $code

serve_done
tap_done
