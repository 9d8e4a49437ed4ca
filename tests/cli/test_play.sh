#!/usr/bin/env bash
# bout play, replay and games: a match has the same log however often it is
# played, its profile adds up to its counts, and what is wrong is said.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
tron=runner/games/tron
connect4=runner/games/connect4

play() { # GAME BOT BOT... OPTION...
    timeout 100 "$bout" play "$@" 2>"$scratch/said"
}

verify() { # LOG BUILD...
    timeout 100 "$bout" replay "$1" --verify "${@:2}" 2>&1
}

# ---- the log -----------------------------------------------------------------
play tron $tron/sample_space.c $tron/sample_space.c --seed 8 \
    --replay "$scratch/a.log" --profile "$scratch/profile" --json >"$scratch/a.json"
turns=$(jq .turns "$scratch/a.json")
ok "a match of two tron riders lasts a hundred turns ($turns)" [ "$turns" -ge 100 ]
is "the document says finished" finished "$(jq -r .status "$scratch/a.json")"
is "replay_sha256 is over the plain log" "$(sha256sum <"$scratch/a.log" | cut -c1-64)" \
    "$(jq -r .replay_sha256 "$scratch/a.json")"

(timeout 60 sh -c 'while :; do :; done') &
hog=$!
play tron $tron/sample_space.c $tron/sample_space.c --seed 8 --replay "$scratch/b.log" >/dev/null
kill "$hog" 2>/dev/null
ok "the same match beside a busy loop has the same bytes" cmp "$scratch/a.log" "$scratch/b.log"
play tron $tron/sample_space.c $tron/sample_space.c --seed 9 --replay "$scratch/c.log" >/dev/null
ok "another seed is another match" \
    bash -c "test -s '$scratch/c.log' && ! cmp -s '$scratch/a.log' '$scratch/c.log'"

chain=$(head -1 "$scratch/a.log" | tr -d '\n' | sha256sum | cut -c1-64)
broken=0 lines=0
while IFS= read -r line; do
    bare="${line%,\"chain\":*}}"
    chain=$(printf '%s%s' "$chain" "$bare" | sha256sum | cut -c1-64)
    [ "$chain" = "$(jq -r .chain <<<"$line")" ] || broken=1
    lines=$((lines + 1))
done < <(tail -n +2 "$scratch/a.log")
is "the chain can be computed with sha256sum alone" "0 $((turns + 2))" "$broken $lines"
build=$(timeout 60 "$bout" build $tron/sample_space.c -o "$scratch/s.bot" --json | jq -r .build)
is "the log names builds mixed with the seed" \
    "$(printf 'bout log8%s' "$build" | sha256sum | cut -c1-64)" \
    "$(head -1 "$scratch/a.log" | jq -r '.builds[0]')"
ok "no line of the log has a time, host or path" \
    bash -c "test -s '$scratch/a.log' && ! grep -qE '_ns|$(hostname)|/' <(jq -c 'del(.. | .view?, .reply?)' '$scratch/a.log')"

# ---- the profile -------------------------------------------------------------
for slot in 0 1; do
    jq -r "select(.slots) | .turn as \$t | .slots[] | select(.slot == $slot) |
        \"\(\$t) \(.instructions)\"" "$scratch/a.log" >"$scratch/stored"
    awk -F, 'NR > 1 { sum[$1] += $NF } END { for (t in sum) print t, sum[t] }' \
        "$scratch/profile/slot-$slot.csv" | sort -n >"$scratch/profiled"
    is "slot $slot: it has a row for every turn" "$((turns + 1))" "$(wc -l <"$scratch/stored")"
    ok "slot $slot: the profile of every turn adds up to its stored count" \
        diff "$scratch/stored" "$scratch/profiled"
done
is "the trace has the turns of both slots" "$(awk '{ sum += $2 } END { print sum }' \
    <(jq -r 'select(.slots) | .slots[] | "x \(.instructions)"' "$scratch/a.log"))" \
    "$(jq '[.traceEvents[] | select(.ph == "X") | .args.instructions] | add' \
        "$scratch/profile/match.trace.json")"

# ---- verify ------------------------------------------------------------------
like "verify plays it again from the cache" '^verified' "$(verify "$scratch/a.log")"
mv "$scratch/cache" "$scratch/aside"
like "without the cache verify names the slot" 'slot 0: its build' "$(verify "$scratch/a.log")"
like "sources as arguments do as well" '^verified' \
    "$(verify "$scratch/a.log" $tron/sample_space.c)"
like "a build that did not play is refused by name" 'sample_wall.c did not play' \
    "$(verify "$scratch/a.log" $tron/sample_space.c $tron/sample_wall.c)"
rm -rf "$scratch/cache" && mv "$scratch/aside" "$scratch/cache"
sed '3s/"status":"ok"/"status":"empty"/' "$scratch/a.log" >"$scratch/bent.log"
like "a changed log is refused with its line" 'line 3: its chain is broken' \
    "$(verify "$scratch/bent.log")"
head -20 "$scratch/a.log" >"$scratch/short.log"
like "a cut log is refused" 'ends before the results' "$(verify "$scratch/short.log")"
zstd -q "$scratch/a.log" -o "$scratch/a.zst" 2>/dev/null &&
    like "a compressed log is read" '^verified' "$(verify "$scratch/a.zst")"
echo hello >"$scratch/no.log"
ok "what is no log is exit 1" bash -c "timeout 10 '$bout' replay '$scratch/no.log'; [ \$? -eq 1 ]"
like "replay prints views, replies and results" 'slot 1: rank 1, score' \
    "$(timeout 20 "$bout" replay "$scratch/a.log")"
is "replay --json has every step" "$((turns + 1))" \
    "$(timeout 20 "$bout" replay "$scratch/a.log" --json | jq '.steps | length')"

# ---- long logs ---------------------------------------------------------------
play tron $tron/sample_space.c $tron/sample_space.c --seed 8 --limit match_log_bytes=30000 \
    --replay "$scratch/hashed.log" >/dev/null
is "over match_log_bytes texts are kept as hashes" true \
    "$(jq -s '[.[] | select(.slots)] | last | .slots[0] | has("view_sha256") and has("reply_sha256")' "$scratch/hashed.log")"
like "and the log still verifies" '^verified' "$(verify "$scratch/hashed.log")"

# ---- more games --------------------------------------------------------------
cat >"$scratch/leaves.c" <<'C'
#include <stdio.h>
int main(void) { getchar(); return 7; }
C
play tron "$scratch/leaves.c" $tron/sample_space.c $tron/sample_wall.c --seed 4 --json >"$scratch/three.json"
is "two go on when one of three leaves" 'exit ok ok' \
    "$(jq -r '[.results[].verdict] | join(" ")' "$scratch/three.json")"
is "and who left is last" 3 "$(jq '.results[0].rank' "$scratch/three.json")"
ok "the match went on" [ "$(jq .turns "$scratch/three.json")" -gt 10 ]
for seed in 1 2 3; do
    is "connect4, seed $seed: searching beats guessing" 'search' \
        "$(play connect4 $connect4/sample_random.c $connect4/sample_search.c --seed $seed --json |
            jq -r '.results[] | select(.rank == 1) | .bot | capture("sample_(?<n>[a-z]+)").n')"
done
is "equal bots in mirrored places tie" '1 1' \
    "$(play tron $tron/sample_wall.c $tron/sample_wall.c --seed 3 --json |
        jq -r '[.results[].rank] | join(" ")')"

# ---- where it crashed --------------------------------------------------------
crash() { # NAME: how slot 0's end is told
    play tron "tests/hostile/$1.c" $tron/sample_wall.c --seed 7 | grep '^slot 0'
}
line() { grep -n "$2" "tests/hostile/$1.c" | cut -d: -f1; }
like "a null pointer's line is told" \
    "null pointer\) \[crash_null.c:$(line crash_null 'return \*nothing') in main\]" \
    "$(crash crash_null)"
like "a division's line is told" \
    "division by zero\) \[crash_divide.c:$(line crash_divide '7 / zero') in main\]" \
    "$(crash crash_divide)"
like "where a stack ran over is told" '\[stack.c:[0-9]+ in deeper\]' "$(crash stack)"

# ---- what its owner needs ----------------------------------------------------
cat >"$scratch/tells.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char line[64];
    fgets(line, sizeof line, stdin);
    fprintf(stderr, "first line\nabout \033 to die\n");
    abort();
}
C
play tron "$scratch/tells.c" $tron/sample_wall.c --seed 7 >"$scratch/told"
like "the last input is told" 'last input: .*\.\.\.' "$(cat "$scratch/told")"
like "and the end of its stderr, escaped" 'end of stderr: first line\\nabout \\x1b to die\\n' \
    "$(cat "$scratch/told")"
is "of the one that went out alone" 1 "$(grep -c 'last input' "$scratch/told")"

# ---- limits and mistakes -----------------------------------------------------
play tron $tron/sample_space.c $tron/sample_wall.c --seed 8 --limit turns=5 --json >"$scratch/five.json"
is "turns ends the match" 5 "$(jq .turns "$scratch/five.json")"
play tron $tron/sample_space.c $tron/sample_wall.c --seed 8 --limit turn_soft=1000 \
    --limit startup=100000 --limit turn_hard=1000000 --limit match_total=100000000 --replay "$scratch/d.log" >/dev/null
is "over turn_soft a turn is skipped" skipped \
    "$(jq -r 'select(.turn == 1) | .slots[0].status' "$scratch/d.log")"
# Case 13: the overrun is stored as it was and no later turn pays for it.
sed '0,/^int main/s//static int burnt;\
static int burn(void)\
{\
    if (!burnt++)\
        for (volatile int i = 0; i < 3000000; i++)\
            ;\
    return 1;\
}\
int main/; s/printf("%c/burn() \&\& printf("%c/' $tron/sample_wall.c >"$scratch/once.c"
play tron "$scratch/once.c" $tron/sample_wall.c --seed 8 --limit turns=5 \
    --limit turn_soft=100000 --limit startup=100000 --limit turn_hard=100000000 \
    --limit match_total=1000000000 --replay "$scratch/once.log" >/dev/null
play tron "$scratch/once.c" $tron/sample_wall.c --seed 8 --limit turns=5 \
    --limit turn_soft=100000000 --replay "$scratch/free.log" >/dev/null
count_of() { # TURN LOG
    jq -c "select(.turn == $1) | .slots[0].instructions" "$2"
}
is "a turn over turn_soft is stored with its whole count" \
    "$(count_of 1 "$scratch/free.log")" "$(count_of 1 "$scratch/once.log")"
ok "which is more than the limit by far" \
    test "$(count_of 1 "$scratch/once.log")" -gt 6000000
is "and the next turn has its own limit whole" ok \
    "$(jq -r 'select(.turn == 2) | .slots[0].status' "$scratch/once.log")"
mistake() { # TEXT CODE PATTERN ARGUMENT...
    said=$(timeout 60 "$bout" "${@:4}" 2>&1)
    is "$1: exit code" "$2" $?
    like "$1: says why" "$3" "$said"
}
mistake "no such game" 1 'no game chess; there are: .*tron' play chess a.c b.c
mistake "one bot for tron" 2 'tron is for 2 to 4 bots, not 1' play tron $tron/sample_wall.c
play tron $tron/sample_wall.c $tron/sample_wall.c --seed 1 --limit turns=3 --limit turn_soft=99999999 \
    --limit reply_bytes=1000 >/dev/null
is "a limit above the game's own is said to be, others are not" \
    'turn_soft=99999999 is above the game.s own limit' \
    "$(grep -o '[a-z_]*=.* own limit' "$scratch/said" | tr "'" .)"
mistake "a limit without a value" 2 'KEY=VALUE' play tron a.c b.c --limit abc
mistake "a limit that there is not" 2 "'foo' is not known; there are turn_soft" play tron a.c b.c --limit foo=3
mistake "a bad seed" 2 "seed 'zzz'" play tron a.c b.c --seed zzz
mistake "no such bot" 1 'missing.c' play tron "$scratch/missing.c" $tron/sample_wall.c
mistake "a rejected bot" 1 'rejected' play tron runner/games/tron/rules.md $tron/sample_wall.c
mistake "a replay over an own source" 2 'is the input, which would be lost' \
    play tron "$scratch/tells.c" $tron/sample_wall.c --replay "$scratch/tells.c"
ok "which is still there" grep -q abort "$scratch/tells.c"
mistake "a view_bytes below the game's need" 1 'view_bytes must be at least 1024' \
    play tron $tron/sample_wall.c $tron/sample_wall.c --limit view_bytes=1023
mistake "builds without --verify" 2 'are for --verify' replay "$scratch/a.log" a.c
is "a place where no builds can be kept is no failure" finished \
    "$(BOUT_CACHE=/dev/null/x play tron $tron/sample_wall.c $tron/sample_wall.c --json | jq -r .status)"
like "and is said once, with what to set" 'builds are not kept.*BOUT_CACHE or XDG_CACHE_HOME' "$(cat "$scratch/said")"
is "it is said once only" 1 "$(grep -c 'not kept' "$scratch/said")"

like "games lists both" 'connect4 .* 2 bots' "$(timeout 60 "$bout" games)"
is "games --json has their limits" 300 \
    "$(timeout 60 "$bout" games --json | jq '.items[] | select(.name == "tron") | .turns')"

tap_done
