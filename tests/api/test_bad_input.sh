#!/usr/bin/env bash
# Bad input gets its documented status or verdict, with a sentence to act on,
# and leaves nothing behind.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

serve_start --ladder-rate 0
new_user ann
enter_bot good tron runner/games/tron/sample_wall.c
good=$bot
is "a good bot is ready" ready "$(get .status)"
is "and has nothing to say" 0 "$(get '.diagnostics|length')"

# refused TEXT STATUS PATTERN: of the last answer.
refused() {
    is "$1" "$2" "$status"
    like "$1: and says why" "$3" "$(get '.detail + " " + .title')"
}

# ---- requests -----------------------------------------------------------------
json='Content-Type: application/json'
token=bout_wrong api POST /v1/bots -F name=a -F game=tron
refused "a wrong token" 401 'token'
token='' api POST /v1/bots -F name=a -F game=tron
refused "no token" 401 'Bearer'
api POST /v1/matches -H "$json" -d '{"game":'
refused "malformed JSON" 400 'line 1'
api POST /v1/matches -H "$json" -d '[]'
refused "JSON that is no object" 400 'object'
api POST /v1/matches -H "$json" -d '{"game":"chess","bots":[1,1]}'
refused "an unknown game" 422 'game'
api GET '/v1/leaderboard?game=chess'
refused "the leaderboard of an unknown game" 404 'game'
api POST /v1/bots -H 'Content-Type: multipart/form-data' --data-binary abc
refused "a form without boundary" 400 'boundary'
api POST /v1/bots -H 'Content-Type: multipart/form-data; boundary=b' \
    --data-binary $'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx'
refused "a form that is cut short" 400 'cut short'
api POST /v1/bots -H "$json" -d '{}'
refused "a form that is none" 415 'multipart'
api POST /v1/bots -F name=a -F game=chess -F 'source=int x;;filename=a.c'
refused "a bot for an unknown game" 422 'game'
api POST /v1/bots -F name=a -F game=tron
refused "a bot without source" 422 'source'
api POST /v1/bots -F name='a b' -F game=tron -F 'source=int x;;filename=a.c'
refused "a bot with a bad name" 422 'name'
head -c 10000000 /dev/zero | tr '\0' ' ' >"$scratch/big.c"
api POST /v1/bots -F name=a -F game=tron -F "source=@$scratch/big.c"
refused "a source of 10 MB" 413 'bytes'
api POST /v1/matches -H "$json" -d "{\"game\":\"tron\",\"bots\":[$good,999]}"
refused "a bot that is not there" 422 'no such bot'
api POST /v1/matches -H "$json" \
    -d "{\"game\":\"tron\",\"bots\":[$good,$good],\"limits\":{\"turn_soft\":99999999}}"
refused "a limit that is raised" 422 'turn_soft'
api POST /v1/matches -H "$json" \
    -d "{\"game\":\"tron\",\"bots\":[$good,$good],\"limits\":{\"view_bytes\":100}}"
refused "a view_bytes that no view fits" 422 'view_bytes must be at least'
api POST /v1/bots -F name=a -F game=tron -F source=first.c
refused "a file's name for its text" 422 'source=@first.c'
api POST /v1/users -H "$json" -d '{"name":"bob"}'
refused "a user added by a user" 403 'admin'
token=$admin api POST /v1/users -H "$json" -d '{"name":"ann"}'
refused "a user name that exists" 409 'ann|exists|taken'
api GET /v1/matches/12345
refused "a match that is not there" 404 'match'
api POST "/v1/matches/12345/cancel"
refused "cancelling what is not there" 404 'match'
api GET /v1/bots
is "nothing of all this was kept" 1 "$(get '.items|length')"

# ---- sources ------------------------------------------------------------------
# rejected NAME SOURCE PATTERN
rejected() {
    printf '%s' "$2" >"$scratch/$1.c"
    enter_bot "$1" tron "$scratch/$1.c"
    is "$1 is rejected" rejected "$(get .status)"
    like "$1: the diagnostic says why" "$3" \
        "$(get '[.diagnostics[]|"\(.file):\(.line) \(.message)"]|join("; ")')"
}
rejected broken 'int main(void) { return x; }' 'broken.c:1 .*x'
rejected empty '' 'main'
rejected threads '#include <pthread.h>
int main(void) { return 0; }' 'one thread'
api POST /v1/matches -H "$json" -d "{\"game\":\"tron\",\"bots\":[$good,$bot]}"
refused "a match with a bot that is not ready" 409 'rejected'

# ---- bots ---------------------------------------------------------------------
# smoke NAME SOURCE PATTERN: a bot that fails its smoke match is rejected with
# verdict and sentence.
smoke() {
    rejected "$1" "$2" "$3"
}
smoke crashes 'int main(void) { *(volatile int *)0 = 1; }' 'crash.*null pointer'
smoke divides '#include <stdio.h>
int main(void) { volatile int z = getchar() * 0; return 7 / z; }' \
    'crash.*division by zero'
smoke floods '#include <stdio.h>
int main(void) { char c; while (scanf(" %c", &c) == 1)
    for (int i = 0; i < 100000; i++) putchar(85); }' 'output'
smoke exits 'int main(void) { return 3; }' 'exit.*3'
smoke spins 'int main(void) { for (volatile int i = 0;; i++) ; }' 'budget'
smoke recurses 'static int f(volatile int *p) { volatile int a[64] = {*p};
    return f(a) + a[1]; }
int main(void) { volatile int x = 1; return f(&x); }' 'stack'
smoke eats '#include <stdlib.h>
#include <string.h>
char *volatile p;
int main(void) { for (;;) memset(p = malloc(1 << 20), 1, 1 << 20); }' 'memory'
smoke babbles '#include <stdio.h>
int main(void) { char c; while (scanf("%c", &c) == 1) puts("up"); }' 'illegal'

smoke tells '#include <stdio.h>
#include <stdlib.h>
int main(void) { getchar(); fputs("out of ideas\n", stderr); abort(); }' \
    'abort.*last input: .*end of stderr: out of ideas'

# One that only reads is legal: every turn is the pass move.
printf '%s' '#include <stdio.h>
int main(void) { while (getchar() >= 0) ; }' >"$scratch/silent.c"
enter_bot silent tron "$scratch/silent.c"
is "a bot that never answers is ready all the same" ready "$(get .status)"
like "it is told that it never moved" 'warning .*never printed a move' \
    "$(get '.diagnostics[]|"\(.severity) \(.message)"')"
silent=$bot
play_match tron "$silent,$good"
is "it plays" finished "$(get .status)"
api GET "/v1/matches/$match/turns"
is "its turns are empty" empty "$(get '[.items[]|select(.slot==0 and .turn>0 and .turn<3).status]|unique|join(" ")')"

# ---- nothing is left ----------------------------------------------------------
serve_stop
is "the service ends well" 0 "$stopped"
is "no half-written file is left" "" "$(find "$data" -name '*.new')"
is "no process is left" "" "$(pgrep -f "$data" | tr '\n' ' ')"
serve_done
tap_done
