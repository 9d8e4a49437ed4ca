#!/usr/bin/env bash
# The scheme that bout's counting replaces (classic/pass.c), on programs of the
# kind that it was made for, and each of its faults beside what bout does.
cd "$(dirname "$0")/../.." && . tests/tap.sh
export BOUT_CACHE=$scratch/cache

llvm=${LLVM_CONFIG:-llvm-config-19}
ok "the classic pass is built" cc -o "$scratch/pass" tests/meter/classic/pass.c \
    $("$llvm" --cflags) $("$llvm" --ldflags --libs core bitreader bitwriter)

# Standard input as a program under the classic pass; says its count.
classic() { # FLAG...
    cat >"$scratch/c.c"
    clang-19 -w "$@" -c -emit-llvm -o "$scratch/c.bc" "$scratch/c.c" &&
        "$scratch/pass" "$scratch/c.bc" "$scratch/counted.bc" &&
        clang-19 -O2 -w -o "$scratch/c" "$scratch/counted.bc" \
            tests/meter/classic/runtime.c &&
        timeout -k 1 "${SECONDS_MAX:-20}" "$scratch/c" 2>&1 >/dev/null
}
early=(-Xclang -disable-llvm-passes)

# Standard input as a bot; says its count.
ours() {
    cat >"$scratch/b.c"
    timeout 60 "$bout" count "$scratch/b.c" --limit 1000000 --json \
        2>/dev/null | jq "${1:-.instructions}"
}

read -r -d '' loop <<'END_C'
int main(void)
{
    int last = 0;
    for (int i = 0; i < 1000; i++)
        last = i;
    last = (last * 2 + 1) ^ 7;
    return -last == 1;
}
END_C
# 7 + 1001 * 3 + 1000 * (3 + 4) + 10 instructions of clang -O0.
is "a loop's count is what its instructions add up to" 10020 \
    "$(classic -O0 <<<"$loop")"
is "the front end's markers change it" 10025 \
    "$(classic -O1 "${early[@]}" <<<"$loop")"
is "and are the same at -O3" 10025 "$(classic -O3 "${early[@]}" <<<"$loop")"

fill() {
    printf '#include <string.h>\nchar a[%d];\nint main(void) {
        memset(a, 1, sizeof a); return a[0] + a[sizeof a - 1] == 3; }\n' "$1"
}
is "the library is free there" "$(fill 16 | classic -O1 "${early[@]}")" \
    "$(fill 1000000 | classic -O1 "${early[@]}")"
few=$(fill 16 | ours) many=$(fill 1000000 | ours)
ok "here a megabyte is paid for" test $((many - few)) -gt 50000

leave() { # HOW: a program that works, then leaves the block
    printf '#include <setjmp.h>\n#include <stdlib.h>\nstatic jmp_buf place;
static volatile unsigned out;
static void work(unsigned x) {
    %s\n out = x; %s; }\nint main(int argc, char **argv) {
    if (!setjmp(place)) work((unsigned)argc); exit(0); }\n' "$2" "$1"
}
work=$(for i in $(seq 100); do echo "x += x ^ $i; x *= 3;"; done)
is "a block that a longjmp leaves is free there" \
    "$(leave 'longjmp(place, 1)' 'x++;' | classic -O0)" \
    "$(leave 'longjmp(place, 1)' "$work" | classic -O0)"
few=$(leave 'longjmp(place, 1)' 'x++;' | ours)
many=$(leave 'longjmp(place, 1)' "$work" | ours)
ok "here it is charged ($few, $many)" test $((many - few)) -ge 290
is "a block that ends the program is free there" \
    "$(leave 'exit(0)' 'x++;' | classic -O0)" \
    "$(leave 'exit(0)' "$work" | classic -O0)"
few=$(leave 'exit(0)' 'x++;' | ours) many=$(leave 'exit(0)' "$work" | ours)
ok "here it is charged too ($few, $many)" test $((many - few)) -ge 290

read -r -d '' cheat <<'END_C'
void IncrementCount(long long n);
int main(void)
{
    for (volatile int i = 0; i < 10000; i++)
        ;
    IncrementCount(-1000000);
}
END_C
ok "a program takes back its own count there" \
    test "$(classic -O0 <<<"$cheat")" -lt 0
is "here it is refused" "" "$(ours <<<"$cheat")"

SECONDS_MAX=2
is "nothing stops a loop without end there" "" \
    "$(classic -O0 <<<'int main(void) { for (;;) ; }')"
is "here the limit does" '"budget"' \
    "$(ours .verdict <<<'int main(void) { for (;;) ; }')"
tap_done
