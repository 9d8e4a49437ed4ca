#!/usr/bin/env bash
# batch: makes one program of many small C programs.
#
#     tests/packages/batch.sh OUT FILE.c...
#
# A suite's program is tiny; building each alone would cost a hundred times what
# it holds. OUT gets t_N.c (program N, its global names given the suffix _N),
# main.c, which reads numbers and runs those programs one after the other, and
# `names`, a line a program: N and the file. What native clang does not compile
# is left out and named in OUT/left, with its reason.
#
# main.c prints "N " before program N runs and what came of it after: its exit
# code, or 1000 for abort(). A program that crashes ends all: whoever runs it
# goes on with the numbers that follow.
set -eu
export LC_ALL=C
out=$1
shift
mkdir -p "$out"
: >"$out/names"
: >"$out/left"
flags=(-std=gnu17 -O0 -Wno-error=implicit-function-declaration
    -Wno-error=implicit-int -Wno-error=int-conversion
    -Wno-error=incompatible-function-pointer-types)

left() # FILE LOG
{
    printf '%s %s\n' "$(basename "$1")" \
        "$(grep -m 1 error "$2" | sed 's/.*error: //')" >>"$out/left"
}

# Program N of FILE as t_N.c; fails where it does not compile so.
wrap() # N FILE
{
    local n=$1 file=$2 at=$out/t_$1.c arguments= ending

    if grep -Eq '\b(__)?asm(__)?\b *(volatile|__volatile__|goto)? *\(' "$file"; then
        echo "error: inline assembly" >"$out/log"
        return 1
    fi
    clang-19 -w "${flags[@]}" -I"$(dirname "$file")" -c "$file" \
        -o "$out/one.o" 2>"$out/log" || return
    if grep -Eq '\bmain *\( *(int|argc|[a-z]+, )' "$file"; then
        arguments='1, (char *[]){"bot", 0}'
    fi
    {
        echo 'void torture_abort(void) __attribute__((noreturn));'
        echo 'void torture_exit(int) __attribute__((noreturn));'
        for name in abort exit __builtin_abort __builtin_exit; do
            echo "#define $name torture_${name#__builtin_}"
        done
        llvm-nm-19 --defined-only --extern-only --format=just-symbols \
            "$out/one.o" | grep -vxE 'abort|exit' |
            sed "s/.*/#define & &_$n/"
        echo "#line 1 \"$(basename "$file")\""
        cat "$file"
    } >"$at"
    # Under another name main returns nothing where it says nothing.
    if clang-19 "${flags[@]}" -Werror=return-type -fsyntax-only \
        -I"$(dirname "$file")" "$at" 2>/dev/null; then
        ending="return main($arguments);"
    else
        ending="main($arguments); return 0;"
    fi
    printf '\nint torture_run_%s(void) { %s }\n' "$n" "$ending" >>"$at"
    sed -i '1i #pragma clang diagnostic ignored "-Weverything"' "$at"
}

n=0
for file in "$@"; do
    if wrap "$n" "$file"; then
        echo "$n $file" >>"$out/names"
        n=$((n + 1))
    else
        left "$file" "$out/log"
        rm -f "$out/t_$n.c"
    fi
done
rm -f "$out/one.o" "$out/log"

{
    cat <<'END'
#include <setjmp.h>
#include <stdio.h>
static jmp_buf over;
static int code;
void torture_abort(void) { code = 1000; longjmp(over, 1); }
void torture_exit(int with) { code = with & 255; longjmp(over, 1); }
END
    for ((i = 0; i < n; i++)); do echo "int torture_run_$i(void);"; done
    echo "static int (*const runs[])(void) = {"
    for ((i = 0; i < n; i++)); do echo "torture_run_$i,"; done
    cat <<'END'
};
int main(void)
{
    int number;
    setvbuf(stdout, NULL, _IONBF, 0);
    while (scanf("%d", &number) == 1) {
        printf("\n#%d ", number);
        if (!setjmp(over))
            code = runs[number]() & 255;
        printf("\n#%d ends %d\n", number, code);
    }
}
END
} >"$out/main.c"
[ "$n" -gt 0 ]
