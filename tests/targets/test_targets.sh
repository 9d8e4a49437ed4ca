#!/usr/bin/env bash
# One module, two targets: the build is the same whatever it is linked for, its
# code passes the scan, and it counts the same however the code was generated:
# for x86-64 or aarch64, optimised or not, with the library's precompiled code
# or all anew. (Every counted program on both: tests/programs/run.)
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/meter/meter.sh
. tests/targets/aarch64.sh
ok "aarch64 bots can run here" aarch64_prepare
sealed=$library

cat >"$scratch/first.c" <<'END'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf env;
static double table[40];
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static int deep(int n)
{
    if (n == 0)
        longjmp(env, 7);
    return deep(n - 1) + n;
}
int main(void)
{
    char line[64];
    int sum = 0;
    for (int i = 0; i < 40; i++)
        table[i] = (i * 37 % 40) / 7.0;
    qsort(table, 40, sizeof *table, by_value);
    while (fgets(line, sizeof line, stdin)) {
        double kept = table[strlen(line) % 40];
        int thrown = setjmp(env);
        if (!thrown)
            sum += deep(20);
        sum += thrown + atoi(line);
        char *copy = malloc(strlen(line) + 1);
        strcpy(copy, line);
        printf("%d %.9f %p %p %p %s", sum, kept, (void *)line, (void *)copy,
               (void *)by_value, copy);
        fprintf(stderr, "%d\n", sum);
    }
    return sum & 63;
}
END
printf '3\n40\n-5\n' >"$scratch/first.in"

# ---- the build --------------------------------------------------------------
"$bout" build "$scratch/first.c" -o "$scratch/x.bot" >/dev/null
ok "a program is built for aarch64" "$bout" build "$scratch/first.c" \
    --target aarch64 -o "$scratch/a.bot"
ok "and a build is linked for it" "$bout" build "$scratch/x.bot" \
    --target aarch64 -o "$scratch/again.bot"
ok "both ways to the same bytes" cmp "$scratch/a.bot" "$scratch/again.bot"
mkdir "$scratch/x" "$scratch/a"
tar -xf "$scratch/x.bot" -C "$scratch/x"
tar -xf "$scratch/a.bot" -C "$scratch/a"
for member in module.bc blocks.json layout.json; do
    ok "$member is the same for both targets" \
        cmp "$scratch/x/$member" "$scratch/a/$member"
done
is "the build's hash and fingerprint too" \
    "$(jq -c '[.build, .fingerprint]' "$scratch/x/manifest.json")" \
    "$(jq -c '[.build, .fingerprint]' "$scratch/a/manifest.json")"
is "a build for another machine is linked for this one where it is used" \
    "$("$bout" count "$scratch/x.bot" --input "$scratch/first.in" --json)" \
    "$("$bout" count "$scratch/a.bot" --input "$scratch/first.in" --json)"

# ---- the scan ---------------------------------------------------------------
ok "its code passes the scan" "$meter" scan \
    --runtime "$sealed/runtime.aarch64.o" "$scratch/a/bot.aarch64"
said=$("$meter" scan --runtime "$sealed/runtime.x86_64.o" \
    "$scratch/a/bot.aarch64" 2>&1)
like "the other target's runtime is not its own" "another processor" "$said"
said=$("$meter" scan --runtime "$aarch64_library/runtime.aarch64.o" \
    "$scratch/a/bot.aarch64" 2>&1)
like "nor is the one that starts without a seal" "not the installed" "$said"
at=$(llvm-objdump-19 -d "$scratch/a/bot.aarch64" |
    sed -nE '/<__bout_main>:/,$ s/^ *([0-9a-f]+): .*/\1/p' | head -n 1)
offset=$((0x$at - ($(llvm-readelf-19 -lW "$scratch/a/bot.aarch64" |
    awk '$1 == "LOAD" && /R E/ {print $3 " - " $2; exit}'))))
cp "$scratch/a/bot.aarch64" "$scratch/forged"
printf '\001\000\000\324' |
    dd of="$scratch/forged" bs=1 seek="$offset" conv=notrunc 2>/dev/null
said=$("$meter" scan --runtime "$sealed/runtime.aarch64.o" \
    "$scratch/forged" 2>&1)
like "a system call in the program's code is found" "svc" "$said"

# ---- code generation ----------------------------------------------------------
count() # BOT INPUT: all that a run is
{
    local by=bout
    [ "$target" = x86_64 ] || by=aarch64_bout
    [ "$by" = aarch64_bout ] || by=$bout
    "$by" count "$1" --input "$2" --json
}

several() # SOURCE INPUT: every way to generate the code of one module
{
    local name out first
    name=$(basename "$1" .c)
    mkdir -p "$scratch/$name"
    compile "$1" "$scratch/$name/in.bc"
    charge "$scratch/$name" "$scratch/$name/in.bc" >/dev/null
    first=$("$bout" count "$1" --input "$2" --json)
    for target in x86_64 aarch64; do
        library=$sealed
        [ "$target" = x86_64 ] || library=$aarch64_library
        for way in --plain '--plain --whole' --whole; do
            out=$scratch/$name/$target${way// /}
            mkdir "$out"
            cp "$scratch/$name/module.bc" "$out/"
            # shellcheck disable=SC2086
            ok "$name: $target $way is linked" link "$out" $way
            pack "$out" "$1" "$out/bot"
            mv "$out/bot" "$out.bot"
            is "$name: $target $way counts and prints the same" "$first" \
                "$(count "$out.bot" "$2")"
        done
    done
    library=$sealed
    target=x86_64
}
several "$scratch/first.c" "$scratch/first.in"
several tests/meter/programs/values.c /dev/null

# ---- NaNs ---------------------------------------------------------------------
cat >"$scratch/nan.c" <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { double x, y; };
static __attribute__((noinline)) struct pair both(double a, double b)
{
    return (struct pair){a / b, b - a};
}
static void show(const char *name, double value)
{
    unsigned long bits;
    memcpy(&bits, &value, sizeof bits);
    printf("%s %016lx %f %d %f\n", name, bits, value, !!signbit(value),
           copysign(1, value));
}
int main(int argc, char **argv)
{
    volatile double zero = 0, inf = HUGE_VAL, minus = -1;
    volatile float small = 0;
    volatile double payload;
    unsigned long given = 0xfff8000000001234;
    double lanes[4];
    float quotient = small / small;
    unsigned bits;

    (void)argc, (void)argv;
    memcpy((void *)&payload, &given, sizeof given);
    show("quotient", zero / zero);
    show("difference", inf - inf);
    show("product", zero * inf);
    show("negated", -(zero / zero));
    show("payload", payload + zero);
    show("two", payload + zero / zero);
    show("root", sqrt(minus));
    show("libm", log(minus));
    show("narrowed", (double)(float)(zero / zero));
    show("pair", both(zero, zero).x);
    for (int i = 0; i < 4; i++)
        lanes[i] = (i - 1) * zero / zero;
    show("lane", lanes[2]);
    memcpy(&bits, &quotient, sizeof bits);
    printf("float %08x %f\n", bits, quotient);
    printf("%f %e %g\n", zero / zero, -(zero / zero), strtod("-nan", NULL));
    return 0;
}
END
BOUT_STRICT_NAN=1 "$bout" build "$scratch/nan.c" -o "$scratch/nan.bot" >/dev/null
ok "strict_nan is a flag too" "$bout" build "$scratch/nan.c" --strict-nan \
    -o "$scratch/flag.bot"
ok "with the same build" cmp "$scratch/nan.bot" "$scratch/flag.bot"
ok "it is part of the fingerprint" test \
    "$("$bout" fingerprint)" != "$("$bout" fingerprint --strict-nan)"
is "which names it" "strict_nan on" \
    "$("$bout" fingerprint --strict-nan --facts | grep strict_nan)"
export BOUT_STRICT_NAN=1
ok "linked for aarch64" aarch64_bout build "$scratch/nan.bot" \
    --target aarch64 -o "$scratch/nan.a.bot"
native=$("$bout" count "$scratch/nan.bot" --json)
is "NaNs are equal on both targets" "$native" \
    "$(aarch64_bout count "$scratch/nan.a.bot" --json)"
is "each is the one NaN, to the bit" "11 1" "$(jq -r .stdout <<<"$native" |
    awk '$2 == "7ff8000000000000" {d++} $2 == "7fc00000" {f++}
         END {print d, f}')"
unset BOUT_STRICT_NAN
"$bout" build "$scratch/nan.c" -o "$scratch/loose.bot" >/dev/null
aarch64_bout build "$scratch/loose.bot" --target aarch64 \
    -o "$scratch/loose.a.bot" >/dev/null
# What is left when NaNs have neither sign nor payload; the count goes as well,
# since the program prints signs, and a minus costs more than none.
bare()
{
    sed -E '/^instructions /d
            s/-nan/nan/g; s/[7f]ff8[0-9a-f]{12}/NAN/g; s/[7f]fc[0-9a-f]{5}/NAN/g
            s/(NAN nan) [01] -?1\.0*/\1/'
}
is "without it nothing but the bits of NaNs differs" \
    "$("$bout" count "$scratch/loose.bot" 2>&1 | bare)" \
    "$(aarch64_bout count "$scratch/loose.a.bot" 2>&1 | bare)"
tap_done
