#!/usr/bin/env bash
# A module's Windows code does what this machine's does in what programs/ does
# not reach: verdicts and faults, stops at a limit, registers that only Windows'
# calling convention keeps, code that is not optimised, and the turns of a match.
cd "$(dirname "$0")/../../.." && . tests/tap.sh && . tests/meter/link.sh
. tests/targets/windows.sh
export BOUT_GAMES=$PWD/runner/games
ok "Windows code can run here" windows_prepare

both() # NAME [OPTION...]: builds NAME.c as NAME.bot and NAME.exe.bot
{
    local out=$scratch/$1.d source=$scratch/$1.c bot=$scratch/$1.bot
    local to=$scratch/$1.exe.bot

    shift
    mkdir -p "$out"
    "$bout" build "$source" -o "$bot" >/dev/null 2>&1 &&
        tar -xf "$bot" -C "$out" module.bc &&
        windows_link "$out" "$bot" "$to" "$@" 2>&1
}

same() # TEXT NAME OPTION...: the two count alike
{
    local text=$1 name=$2

    shift 2
    is "$text" "$("$bout" count "$scratch/$name.bot" --json "$@")" \
        "$(windows_bout count "$scratch/$name.exe.bot" --json "$@")"
}

# ---- verdicts ------------------------------------------------------------------
cat >"$scratch/verdict.c" <<'END'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int deep(int n)
{
    volatile int kept = n;
    return n ? deep(n + 1) + kept : 0;
}
static volatile int zero;
static char big[300 << 20];
int main(void)
{
    char what[16];
    jmp_buf never;
    scanf("%15s", what);
    printf("before\n");
    memset(never, 7, sizeof never);
    if (!strcmp(what, "null"))
        return *(volatile int *)(long)zero;
    if (!strcmp(what, "address"))
        *(volatile int *)(0x123450000000 + zero) = 1;
    if (!strcmp(what, "none"))
        *(volatile int *)(0x7123450000000000 + zero) = 1;
    if (!strcmp(what, "copy"))
        memcpy((char *)0x5555555500000 + zero, what, 4 + zero);
    if (!strcmp(what, "table"))
        return ((int (*)(void))(0x12340 + (long)zero))();
    if (!strcmp(what, "divide"))
        return 7 / zero;
    if (!strcmp(what, "trap"))
        __builtin_trap();
    if (!strcmp(what, "abort"))
        abort();
    if (!strcmp(what, "jump"))
        longjmp(never, 1);
    if (!strcmp(what, "stack"))
        return deep(1);
    if (!strcmp(what, "memory"))
        for (;;)
            memset(malloc(1 << 20), 1, 100);
    if (!strcmp(what, "output"))
        for (;;)
            puts(what);
    if (!strcmp(what, "data"))
        printf("%p %d %p %p %p %p\n", (void *)big,
               memcmp(big, big + 1000, 1000), (void *)what, malloc(100),
               (void *)main, (const void *)"data");
    if (!strcmp(what, "endless"))
        for (;;)
            zero = zero * 3 + 1;
    return 200;
}
END
ok "a program of all verdicts is linked" both verdict
for what in null address none copy table divide trap abort jump stack memory \
    output data exit; do
    echo "$what" >"$scratch/in"
    same "$what ends alike" verdict --input "$scratch/in" \
        --limit reply_bytes=600 --limit memory_bytes=400000000
done
like "which is a crash where it should be" '"crash"' \
    "$(echo null >"$scratch/in" && windows_bout count \
        "$scratch/verdict.exe.bot" --input "$scratch/in" --json)"
echo endless >"$scratch/in"
for limit in 100000 123457 1000003 3000000; do
    same "it is stopped at the same count over $limit" verdict \
        --input "$scratch/in" --limit "$limit"
done

# ---- registers ------------------------------------------------------------------
cat >"$scratch/kept.c" <<'END'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf env;
static double table[64];
static __attribute__((noinline)) double spoil(double *at, int n)
{
    double a = at[0], b = at[1], c = at[2], d = at[3], e = at[4], f = at[5],
           g = at[6], h = at[7];
    for (int i = 0; i < n; i++) {
        a += b * c; b += c * d; c += d * e; d += e * f;
        e += f * g; f += g * h; g += h * a; h += a * b;
        if (i % 100 == 99)
            printf("%g\n", a - b);
    }
    if (n > 250)
        longjmp(env, n);
    return a + b + c + d + e + f + g + h;
}
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < 64; i++)
        table[i] = (i * 37 % 64) / 64.0 * argc;
    double a = table[1], b = table[2], c = table[3], d = table[4], e = table[5],
           f = table[6], g = table[7], h = table[8], k = table[9];
    long p = (long)(a * 99), q = (long)(b * 98), r = (long)(c * 97);
    int thrown = setjmp(env);
    printf("%d %g %g %g %g %g %g %g %g %g %ld %ld %ld\n", thrown, a, b, c, d, e,
           f, g, h, k, p, q, r);
    if (thrown < 260)
        printf("%g\n", spoil(table, 200 + (thrown ? thrown - 200 : 51) + 1));
    qsort(table, 64, sizeof *table, by_value);
    for (int i = 0; i < 64; i += 7)
        printf("%.17g %.17g\n", table[i], spoil(table + i % 8, 10 * i));
    return 0;
}
END
ok "a program that jumps is linked" both kept
same "registers come back with a jump" kept
ok "it is linked without optimising" both kept --plain
same "which changes nothing" kept
cp tests/meter/programs/values.c "$scratch/values.c"
ok "so are values of all operations" both values
same "which are equal" values
ok "and, not optimised," both values --plain
same "equal again" values

# ---- a match ------------------------------------------------------------------
cp runner/games/connect4/sample_search.c "$scratch/search.c"
ok "a sample bot is linked" both search
play() # SUFFIX BOUT...
{
    local suffix=$1

    shift
    "$@" play connect4 "$scratch/search$suffix" "$scratch/search$suffix" \
        --seed 5 --replay "$scratch/log$suffix"
}
ok "they play" play .bot "$bout"
ok "and as Windows code" play .exe.bot windows_bout
ok "the log is the same: views, replies, the count of each turn" cmp \
    "$scratch/log.bot" "$scratch/log.exe.bot"
is "with many turns" yes "$(wc -l <"$scratch/log.bot" |
    awk '{print ($1 > 10 ? "yes" : "no")}')"
ok "its log verifies with this machine's code" "$bout" replay \
    "$scratch/log.exe.bot" --verify "$scratch/search.bot" "$scratch/search.bot"

# ---- the target ---------------------------------------------------------------
said=$("$meter" link --library "$library" --target x86_64-windows \
    --out "$scratch/none" "$scratch/kept.d/module.bc" 2>&1)
is "it has no precompiled code" "2 yes" \
    "$? $(grep -q -- '--whole alone' <<<"$said" && echo yes)"
said=$("$bout" build "$scratch/kept.c" --target x86_64-windows \
    -o "$scratch/no.bot" 2>&1)
is "bout build knows no such target" 1 $?
like "and says which there are" 'there are x86_64 and' "$said"
tap_done
