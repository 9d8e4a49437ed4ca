#!/usr/bin/env bash
# <bout/profile.h> in bots: a turn's profile has the bot's own blocks, nested and
# exact, beside functions and lines; nothing gets out of step; and nothing that a
# bot counts depends on whether anybody listens.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/targets/aarch64.sh

build() { # NAME < SOURCE
    cat >"$scratch/$1.c"
    ok "$1 is built" timeout 120 "$bout" build "$scratch/$1.c" \
        -o "$scratch/$1.bot"
}
count() { # NAME [OPTION...]
    timeout 120 "$bout" count "$scratch/$1.bot" --json "${@:2}" 2>/dev/null
}
profile() { # NAME FORMAT [OPTION...]
    timeout 120 "$bout" profile "$scratch/$1.bot" --format "$2" "${@:3}" \
        2>/dev/null
}

# ---- nested blocks over turns --------------------------------------------------
build nested <<'C'
#include <bout/profile.h>
#include <stdio.h>
static char memory[PROFILE_BUFFER_BYTES];
__attribute__((noinline)) static void work(int n)
{
    for (volatile int i = 0; i < n; i++) {
    }
}
int main(void)
{
    int n;
    profile_initialize("nested", memory, sizeof memory);
    profile_enable(1);
    profile_begin_block("match");
    while (scanf("%d", &n) == 1) {
        profile_begin_block("think");
        for (int i = 0; i < 3; i++) {
            profile_begin_block("a name of more than the 24 bytes of a record");
            work(n);
            profile_end_block();
        }
        profile_log("thought");
        profile_end_block();
    }
    profile_end_block();
    profile_end_block(); /* one too many */
    return (int)profile_shutdown();
}
C
echo "1000 2000" >"$scratch/input"
echo "1000 2001" >"$scratch/one-more"
count nested --input "$scratch/input" >"$scratch/count.json"
turn1=$(jq '.turns[1].instructions' "$scratch/count.json")
is "it ends well, with nothing lost" "ok 0" \
    "$(jq -r '"\(.verdict) \(.exit_code)"' "$scratch/count.json")"
is "a message is in the turn's log" "thought thought" \
    "$(jq -r .stderr "$scratch/count.json" | xargs)"
is "counts repeat" "$(jq .turns "$scratch/count.json")" \
    "$(count nested --input "$scratch/input" | jq .turns)"

turn() { # N FILTER [FILE]
    jq -r ".turns[] | select(.turn == $1) | $2" "${3:-$scratch/profile.json}"
}
profile nested json --input "$scratch/input" >"$scratch/profile.json"
is "profiling changes no count" "$turn1" "$(turn 1 .instructions)"
is "functions and lines add up to it" "$turn1" \
    "$(turn 1 '[.lines[].instructions] | add')"
is "blocks are nested as the calls were" \
    "0 match 1, 1 think 2, 2 a name of more than the 24 bytes of a record 6" \
    "$(turn 1 '[.blocks[] | "\(.depth) \(.name) \(.calls)"] | join(", ")')"
is "a block that spans turns has its part in each" "match 1" \
    "$(turn 0 '.blocks[] | "\(.name) \(.calls)"')"
is "a block is what is in it and itself" "true true" \
    "$(turn 1 '.blocks | "\(.[0].instructions == ([.[].own] | add)) \(.[1].instructions == .[1].own + .[2].instructions)"')"
is "the outermost block ends with the turn or before" true \
    "$(turn 1 '.blocks[0].instructions <= .instructions')"
profile nested json --input "$scratch/one-more" >"$scratch/more.json"
is "a turn more dear by N has blocks more dear by N" \
    "$(($(turn 1 .instructions "$scratch/more.json") - turn1))" \
    "$(($(turn 1 '.blocks[2].own' "$scratch/more.json") - $(turn 1 '.blocks[2].own')))"
price=$("$bout" costs --json | jq '.. | .clock? // empty' | head -1)
is "each of the calls costs at least a reading of the count" true \
    "$(turn 1 "[.lines[] | select(.function == \"profile_begin_block\") | .instructions] | add >= 8 * $price")"
like "text shows both views" 'calls  block.*  think.*\[in no block\].*  work' \
    "$(profile nested text --input "$scratch/input" | tr '\n' ' ')"
profile nested trace --input "$scratch/input" >"$scratch/trace.json"
is "trace: blocks lie in their turn, in order" true \
    "$(jq '[.traceEvents[] | select(.cat == "turn" and .name == "turn 1")][0] as $turn
        | [.traceEvents[] | select(.cat == "block" and .ts >= $turn.ts)]
        | length == 9 and all(.ts + .dur <= $turn.ts + $turn.dur + 0.0005)
          and ([.[].ts] | . == sort)' "$scratch/trace.json")"
is "trace: a message is an event" 2 \
    "$(jq '[.traceEvents[] | select(.cat == "log" and .name == "thought")] | length' "$scratch/trace.json")"
profile nested speedscope --input "$scratch/input" >"$scratch/scope.json"
is "speedscope: each begin has its end, and time goes forward" "true true" \
    "$(jq -r '[.profiles[] | select(.type == "evented")][1].events
        | "\([.[] | select(.type == "O")] | length == 9) \([.[].at] | . == sort)"' "$scratch/scope.json")"

# ---- the bot's own writer, on every machine ---------------------------------------
build writer <<'C'
#include <bout/profile.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
static char memory[4096];
static void print(void *data, uint64_t size)
{
    for (char *at = data; size; at += 64, size -= 64) {
        uint32_t kind, id, parent;
        uint64_t start, end;
        memcpy(&kind, at, 4), memcpy(&id, at + 4, 4), memcpy(&parent, at + 8, 4);
        memcpy(&start, at + 24, 8), memcpy(&end, at + 32, 8);
        if (kind == 4)
            printf("%u in %u: %llu to %llu %.24s\n", id, parent,
                   (unsigned long long)start, (unsigned long long)end, at + 40);
        else
            printf("kind %u\n", kind);
    }
}
static double work(int n)
{
    volatile double sum = 0;
    for (int i = 1; i < n; i++)
        sum += 1.0 / i;
    return sum;
}
int main(void)
{
    profile_begin_block("before there is a profiler");
    profile_end_block();
    profile_initialize("writer", memory, sizeof memory);
    profile_output(print);
    profile_enable(1);
    profile_begin_block("a");
    work(10);
    profile_lock("l");
    profile_begin_block("b");
    work(1000);
    profile_end_block();
    profile_unlock("l");
    profile_end_block();
    profile_end_frame(7);
    profile_enable(0);
    profile_begin_block("while it is off");
    profile_end_block();
    printf("lost %d\n", (int)profile_shutdown());
}
C
said=$(count writer | jq -r .stdout)
like "the writer gets head, tree and end" \
    '^kind 1 1 in 0: [0-9]+ to [0-9]+ a kind 8 3 in 1: [0-9]+ to [0-9]+ b kind 9 kind 5 kind 2 lost 0 $' \
    "$(tr '\n' ' ' <<<"$said")"
ok "aarch64 bots can run here" aarch64_prepare
ok "the same module is linked for aarch64" aarch64_bout build \
    "$scratch/writer.bot" --target aarch64 -o "$scratch/writer.a.bot"
is "ticks and counts are the same on aarch64" \
    "$(count writer | jq -c '{stdout, turns}')" \
    "$(aarch64_bout count "$scratch/writer.a.bot" --json | jq -c '{stdout, turns}')"

# ---- out of step, out of room ------------------------------------------------------
build unbalanced <<'C'
#include <bout/profile.h>
static char memory[512]; /* eight blocks */
int main(void)
{
    int depth = profile_initialize("small", memory, 20);
    profile_end_block();
    profile_initialize("small", memory, sizeof memory);
    profile_enable(1);
    profile_end_block();
    for (depth = 0; depth < 100; depth++)
        profile_begin_block("deep");
    for (depth = 0; depth < 100; depth++)
        profile_end_block();
    profile_begin_block("after");
    profile_end_block();
    profile_begin_block("open");
    profile_begin_block("open too");
    return (int)profile_shutdown();
}
C
profile unbalanced json >"$scratch/profile.json"
is "out of blocks nothing gets out of step" "after deep open open too" \
    "$(turn 0 '[.blocks[].name] | unique | join(" ")')"
is "as many are nested as there was room for" 8 \
    "$(turn 0 '[.blocks[] | select(.name == "deep")] | length')"
is "what comes after is in no block of before" 0 \
    "$(turn 0 '.blocks[] | select(.name == "after").depth')"
count unbalanced >"$scratch/count.json"
is "it is one message, and what is open at the end another" 2 \
    "$(jq -r .stderr "$scratch/count.json" | grep -c profile:)"
is "shutdown tells one that was lost and two that are open" 3 \
    "$(jq .exit_code "$scratch/count.json")"

build many <<'C'
#include <bout/profile.h>
#include <stdlib.h>
#include <string.h>
static char memory[1 << 22], name[1 << 20];
int main(void)
{
    memset(name, 'x', sizeof name - 1);
    profile_initialize("many", memory, sizeof memory);
    profile_enable(1);
    for (int i = 0; i < 100; i++) {
        profile_begin_block(name);
        profile_begin_block("inside");
        profile_end_block();
        profile_end_block();
    }
    profile_begin_block("last");
    abort();
}
C
is "more than the runner keeps changes no count" \
    "$(count many | jq .instructions)" \
    "$(profile many json | jq .instructions)"
like "what found no room is said" 'and [0-9]+ blocks and messages for which' \
    "$(profile many text)"
is "a block that the end came upon is in the profile" last \
    "$(profile many json | jq -r '[.turns[].blocks[] | .name] | map(select(. == "last")) | unique | join("")')"

build own <<'C'
#include <stdio.h>
void profile_log(const char *text)
{
    printf("mine: %s\n", text);
}
int main(void)
{
    profile_log("x");
}
C
is "a program may have names of its own" "mine: x" \
    "$(count own | jq -r .stdout)"
build without <<'C'
#define BUILD_ENABLE_PROFILE 0
#include <bout/profile.h>
int main(void)
{
    profile_begin_block("nothing");
    profile_end_block();
}
C
echo 'int main(void) {}' >"$scratch/empty.c"
"$bout" build "$scratch/empty.c" -o "$scratch/empty.bot" >/dev/null 2>&1
is "BUILD_ENABLE_PROFILE=0 leaves nothing of it" \
    "$(count empty | jq .instructions)" "$(count without | jq .instructions)"
tap_done
