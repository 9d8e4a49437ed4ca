#!/usr/bin/env bash
# What went wrong in systems like this one, each as a small program whose count
# shows that it does not here. The table of all such cases is in tests/README.md.
cd "$(dirname "$0")/../.." && . tests/tap.sh
export BOUT_CACHE=$scratch/cache

# Builds standard input as $1 and runs it once for each further argument, given
# as input; prints the counts on one line.
counts() { # NAME.c|NAME.cpp INPUT...
    local name=$1 said=() input

    shift
    cat >"$scratch/$name"
    timeout 100 "$bout" build "$scratch/$name" -o "$scratch/x.bot" \
        >"$scratch/build.log" 2>&1 || { cat "$scratch/build.log"; return; }
    for input in "$@"; do
        echo "$input" >"$scratch/input"
        said+=("$(timeout 60 "$bout" count "$scratch/x.bot" \
            --input "$scratch/input" --json 2>/dev/null | jq .instructions)")
    done
    echo "${said[*]}"
}

at_least() { # TEXT MINIMUM NUMBER
    [ "${3:-0}" -ge "$2" ] 2>/dev/null
    tap_report $? "$1" "at least $2, got: $3"
}

between() { # TEXT LOW HIGH NUMBER
    [ "$4" -ge "$2" ] 2>/dev/null && [ "$4" -le "$3" ]
    tap_report $? "$1" "from $2 to $3, got: $4"
}

# 400 additions that no optimiser may join.
adds=$(for i in $(seq 400); do echo "x += x ^ $i; x *= 3;"; done)

read -r once twice < <(counts jump.c 1000 2000 <<END
#include <setjmp.h>
#include <stdio.h>
static jmp_buf place;
static volatile unsigned out;
__attribute__((noinline)) static void work(unsigned x)
{
    $adds
    out = x;
    longjmp(place, 1);
}
int main(void)
{
    volatile int n = 0;
    int rounds;
    scanf("%d", &rounds);
    if (setjmp(place) == 0 || n < rounds) {
        n++;
        work((unsigned)n);
    }
}
END
)
at_least "case 1, CF-02: work before a longjmp is charged" 1200000 \
    $((twice - once))

read -r once twice < <(counts throw.cpp 1000 2000 <<END
#include <cstdio>
static volatile unsigned out;
[[gnu::noinline]] static void work(unsigned x)
{
    $adds
    out = x;
    throw x;
}
int main()
{
    int rounds;
    std::scanf("%d", &rounds);
    for (int i = 0; i < rounds; i++)
        try { work(i); } catch (unsigned) { }
}
END
)
at_least "case 1, CF-02: work before a throw is charged" 1200000 \
    $((twice - once))

read -r none all < <(counts exit.c 0 1 <<END
#include <stdio.h>
#include <stdlib.h>
static volatile unsigned out;
int main(void)
{
    unsigned x;
    scanf("%u", &x);
    if (!x)
        exit(0);
    $adds
    out = x;
    exit(0);
}
END
)
between "CF-12: a block that ends by exit is charged" 1200 2600 $((all - none))

read -r small large < <(counts copies.c 1000 100000 <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    size_t n;
    scanf("%zu", &n);
    char *a = malloc(n * 8), *b = malloc(n * 8);
    memcpy(a, b, n * 8);
    memmove(b, a, n * 8);
    memset(a, 1, n * 8);
    a = realloc(a, n * 16);
    return a[0] == b[1];
}
END
)
at_least "cases 7 and 8, CF-03, CF-05: bulk work is priced by its size" 390000 \
    $((large - small))

read -r small large < <(counts zeros.c 100 1100 <<'END'
#include <stdio.h>
__attribute__((noinline)) static int sum(char *a, int n)
{
    return a[n] + a[n + 1];
}
__attribute__((noinline)) static int large(int n)
{
    char a[1 << 20] = {0};
    return sum(a, n);
}
int main(void)
{
    int rounds, all = 0;
    scanf("%d", &rounds);
    for (int i = 0; i < rounds; i++)
        all += large(i);
    return all;
}
END
)
at_least "case 9: a megabyte of zeros is charged at each call" 131072000 \
    $((large - small))

read -r small large < <(counts sorts.cpp 1000 11000 <<'END'
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
int main()
{
    int n;
    std::scanf("%d", &n);
    std::vector<int> v(n);
    for (int &x : v)
        x = std::rand();
    std::sort(v.begin(), v.end());
    std::qsort(v.data(), v.size(), sizeof(int), [](const void *a, const void *b) {
        return *(const int *)b - *(const int *)a;
    });
}
END
)
at_least "CF-07: the library's own work is counted" 1000000 $((large - small))

read -r small large < <(counts start.cpp 0 0 <<'END'
#include <cstdio>
static unsigned work()
{
    volatile unsigned x = 1;
    for (int i = 0; i < 100000; i++)
        x = x * 3;
    return x;
}
static unsigned made = work();
__attribute__((constructor)) static void early() { work(); }
static struct late { ~late() { work(); } } last;
int main() { return made == 0; }
END
)
at_least "case 15, CF-08: what runs before and after main is charged" 900000 \
    "$small"
is "and the same each time" "$small" "$large"

read -r one more < <(counts tail.c 1000 2000 <<'END'
#include <stdio.h>
static unsigned down(unsigned n, unsigned sum)
{
    if (n == 0)
        return sum;
    __attribute__((musttail)) return down(n - 1, sum * 3 + n);
}
unsigned (*volatile step)(unsigned, unsigned) = down;
int main(void)
{
    unsigned n;
    scanf("%u", &n);
    return step(n, 1) == 0;
}
END
)
at_least "CF-11: a call that must be a tail call is built and charged" 2000 \
    "$((more - one))"

# What a loop pays for being counted, without a clock: the increment that is its
# check, and no call. `back` is its jump backwards and what lies between.
cat >"$scratch/tight.c" <<'END'
#include <stdio.h>
static unsigned tight(unsigned n, unsigned x)
{
#pragma clang loop unroll(disable)
    for (unsigned i = 0; i < n; i++)
        x = x * 3 ^ i;
    return x;
}
unsigned (*volatile work)(unsigned, unsigned) = tight;
int main(void)
{
    unsigned n;
    scanf("%u", &n);
    return work(n, 1) == 0;
}
END
timeout 100 "$bout" build "$scratch/tight.c" --target x86_64 \
    -o "$scratch/tight.bot" >/dev/null 2>&1
tar -xf "$scratch/tight.bot" -C "$scratch" bot.x86_64
loop= lines=()
while read -r at operation operand rest; do
    lines+=("$((16#${at%:})) $operation $operand $rest")
    [[ $operation == j* ]] && [ "$((operand))" -lt "$((16#${at%:}))" ] || continue
    [ -n "$loop" ] || loop=$(printf '%s\n' "${lines[@]}" |
        awk -v from="$((operand))" '$1 >= from')
done < <(llvm-objdump-19 -d --no-show-raw-insn "$scratch/bot.x86_64" |
    awk '/^[0-9a-f]+ <.*>:$/ { inside = /tight>/; next } inside && NF')
at_least "CF-13: a tight loop is found in its machine code" 4 \
    "$(wc -l <<<"$loop")"
is "CF-13: a pass of it is counted by one instruction" 1 \
    "$(grep -c ' incq' <<<"$loop")"
is "CF-13: in a register" 0 "$(grep -c '%fs:' <<<"$loop")"
is "CF-13: and by no call" 0 "$(grep -c ' call' <<<"$loop")"

# What a program could learn of its host is equal in all runs.
cat >"$scratch/host.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static int data;
int main(int argc, char **argv)
{
    int local, stale[8];
    char bytes[8];
    printf("%p %p %p %p %d\n", (void *)&data, (void *)&local, malloc(10),
           (void *)argv, argc);
    printf("%ld %ld %d\n", (long)time(NULL), (long)clock(), rand());
    printf("%d %d\n", getentropy(bytes, 8), bytes[0]);
    printf("%d %s\n", stale[5], getenv("PATH") ? "environment" : "none");
}
END
timeout 100 "$bout" build "$scratch/host.c" -o "$scratch/host.bot" >/dev/null 2>&1
for i in $(seq 20); do
    TZ=$i timeout 60 "$bout" count "$scratch/host.bot" 2>&1
done | sort | uniq -c | awk '{ print $1 }' | sort -u >"$scratch/times"
is "case 19: clocks, addresses, chance and stale memory are equal in 20 runs" \
    20 "$(cat "$scratch/times")"
tap_done
