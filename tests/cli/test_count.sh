#!/usr/bin/env bash
# bout count and bout build: one number on every run, one hash for equal code,
# and every way of running for ever ends at the budget, never at a net.
cd "$(dirname "$0")/../.." && . tests/tap.sh

cat >"$scratch/sum.c" <<'C'
#include <stdio.h>
int main(void)
{
    long total = 0, n = 0, x;
    while (scanf("%ld", &x) == 1) {
        total += x;
        n++;
    }
    printf("%ld of %ld\n", total, n);
    return 0;
}
C
seq 1 500 >"$scratch/input"

count() { # PROGRAM OPTION...: the document
    timeout 60 "$bout" count "$@" --json 2>/dev/null
}

document=$(count "$scratch/sum.c" --input "$scratch/input")
is "the program's output is its own" "125250 of 500" \
    "$(jq -r .stdout <<<"$document")"
is "its verdict is ok" ok "$(jq -r .verdict <<<"$document")"
is "the turns add up to the count" "$(jq .instructions <<<"$document")" \
    "$(jq '[.turns[].instructions] | add' <<<"$document")"
like "stderr's last line is the count" '^instructions [0-9]+$' \
    "$("$bout" count "$scratch/sum.c" --input "$scratch/input" 2>&1 >/dev/null | tail -1)"

# One number: 50 runs of one build with other load on the machine.
"$bout" build "$scratch/sum.c" -o "$scratch/sum.bot" 2>/dev/null
(timeout 60 sh -c 'while :; do :; done') &
hog=$!
numbers=$(for _ in $(seq 50); do
    count "$scratch/sum.bot" --input "$scratch/input" | jq .instructions
done | sort -u)
kill "$hog" 2>/dev/null
is "50 runs beside a busy loop give one number" \
    "$(jq .instructions <<<"$document")" "$numbers"

# One hash: comments, local names, folder, date, user, other environment.
hash() { timeout 60 "$bout" build "$1" -o "$scratch/h.bot" --json | jq -r .build; }
mkdir -p "$scratch/elsewhere/deep"
sed -e 's/total/grand_sum/g; s/\([ (]\)n\b/\1how_many/g' \
    -e '1i /* a comment */' "$scratch/sum.c" | tr '\t' ' ' >"$scratch/elsewhere/deep/sum.c"
first=$(hash "$scratch/sum.c")
like "a build hash is SHA-256" '^[0-9a-f]{64}$' "$first"
is "comments, local names and the folder change no hash" "$first" \
    "$(hash "$scratch/elsewhere/deep/sum.c")"
is "language, time zone and home change no hash" "$first" \
    "$(LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo HOME=$scratch hash "$scratch/sum.c")"
touch -d 2001-01-01 "$scratch/sum.c"
is "the file's date changes no hash" "$first" "$(hash "$scratch/sum.c")"

# For ever: each ends as budget or stack, and not by the net on time.
ends() { # NAME VERDICT SOURCE [LIMIT]
    printf '%s\n' "$3" >"$scratch/$1.c"
    local said
    "$bout" build "$scratch/$1.c" -o "$scratch/$1.bot" 2>/dev/null
    said=$(count "$scratch/$1.bot" --limit "${4:-1000000}")
    is "$1: verdict $2" "$2" "$(jq -r .verdict <<<"$said")"
    like "$1: over the limit by no more than 4,096 of executed work" yes \
        "$(jq "if .verdict == \"budget\" then (if .instructions > ${4:-1000000} then \"yes\" else \"no\" end) else \"yes\" end" <<<"$said")"
}
ends loop budget 'int main(void){for(;;);}'
ends loop_volatile budget 'int main(void){volatile int x=0;for(;;)x++;}'
ends recursion stack 'int f(int n){return n?f(n+1)+f(n-1):0;} int main(void){return f(1);}' 100000000
ends atexit_loop budget '#include <stdlib.h>
void loop(void){for(;;);}
int main(void){atexit(loop);return 0;}'
ends mutual budget '#include <stdio.h>
__attribute__((noinline)) void a(volatile int*p); __attribute__((noinline)) void b(volatile int*p){++*p; a(p);} void a(volatile int*p){++*p; b(p);}
int main(void){volatile int x=0;for(;;){x=0;a(&x);}}'
ends goto_loop budget 'int main(void){static void*t[]={&&x,&&y};volatile int i=0;x:i++;goto *t[i&1];y:i++;goto *t[i&1];}'
chain='volatile int sink; __attribute__((noinline)) void f0(void){sink++;}'
for i in $(seq 1 60); do
    chain="$chain
__attribute__((noinline)) void f$i(void){f$((i - 1))();f$((i - 1))();}"
done
ends chain_of_60 budget "$chain
int main(void){f60();return 0;}"

# A price known beforehand stops the bot before the work is done.
cat >"$scratch/memset.c" <<'C'
#include <string.h>
char bytes[4096]; /* not static: nothing reads it, it would be left out */
volatile unsigned long size = 1UL << 30;
int main(void)
{
    memset(bytes, 1, size);
    return 0;
}
C
said=$(count "$scratch/memset.c" --limit 1000000)
is "a memset of 1 GiB is stopped, not run" budget "$(jq -r .verdict <<<"$said")"
like "and its price is in the count" yes \
    "$(jq 'if .instructions > 134217728 then "yes" else "no" end' <<<"$said")"
exact=$(count "$scratch/sum.bot" --input "$scratch/input" | jq .instructions)
is "a count exactly at the limit is within it" ok \
    "$(count "$scratch/sum.bot" --input "$scratch/input" --limit "$exact" | jq -r .verdict)"
is "one less is over it" budget \
    "$(count "$scratch/sum.bot" --input "$scratch/input" --limit $((exact - 1)) | jq -r .verdict)"
# Whatever limit ends it is named.
named() { # TEXT DETAIL SOURCE LIMIT...
    printf '%s\n' "$3" >"$scratch/named.c"
    is "$1" "$2" "$(count "$scratch/named.c" --input "$scratch/input" \
        $(printf -- '--limit %s ' "${@:4}") | jq -r .detail)"
}
endless='int main(void){for(;;);}'
reads='#include <stdio.h>
int main(void){getchar();for(;;);}'
named "both turns together are held by turn_hard" 'over turn_hard of 5000000' "$endless" 5000000
named "and so is turn 1" 'over turn_hard of 5000000' "$reads" 5000000
named "startup holds turn 0" 'over startup of 70000' "$endless" startup=70000
named "startup does not hold turn 1" 'over turn_hard of 5000000' "$reads" startup=70000 5000000
named "match_total holds turn 1" 'over match_total of 70000' "$reads" match_total=70000
named "turn_soft moves its multiples" 'over startup of 300000' "$endless" turn_soft=30000 turn_hard=9000000
named "memory has its limit's name" 'over memory_bytes of 9000000' '#include <stdlib.h>
#include <string.h>
char *volatile p;
int main(void) { for (;;) memset(p = malloc(1 << 20), 1, 1 << 20); }' memory_bytes=9000000
said=$(timeout 20 "$bout" count "$scratch/sum.bot" --limit memory_bytes=1 2>&1)
is "memory_bytes=1: exit code" 2 $?
like "memory_bytes=1 says that the stack is in it" \
    'memory_bytes \(1\) must be more than stack_bytes .* smaller stack_bytes' "$said"
like "limits tells what follows turn_soft" 'startup +100000000  10 x turn_soft' "$("$bout" limits)"
like "limits lists turns" "^turns +the game's" "$("$bout" limits)"
is "limits --json has turns" true "$("$bout" limits --json | jq 'has("turns") and .turns == null')"
like "bout --version says which and its fingerprint" '^bout [0-9.]+, fingerprint [0-9a-f]{64}$' \
    "$("$bout" --version)"
printf 'int main(void){return 3;}\n' >"$scratch/three.c"
like "an exit code is said before the count" 'exit code 3.instructions [0-9]+$' \
    "$("$bout" count "$scratch/three.c" 2>&1 | tr '\n' ' ' | sed 's/ $//')"
tap_done
