#!/usr/bin/env bash
# batch: makes one program of many small C programs.
#
#     tests/packages/batch.sh OUT FILE.c...
#
# A suite's program is tiny; building each alone would cost a hundred times what
# it holds. OUT gets t_N.c (the Nth FILE, its global names given the suffix _N),
# main.c, which reads numbers and runs those programs one after the other,
# `input`, the numbers, and `names`, a line a program: N and the file. What native
# clang does not compile is left out and named in OUT/left, with its reason.
# ENDS=SECONDS leaves out too what does not end with 0 natively in that time.
#
# main.c prints "N " before program N runs and what came of it after: its exit
# code, or 1000 for abort(). A program that crashes ends all: whoever runs it
# goes on with the numbers that follow.
#
# A compiler's start takes longer than such a program, so one run of it compiles
# all that are left until one has an error: the front end takes many files.
set -eu
export LC_ALL=C
out=$1
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$out/left"
declare -A file_of=()
flags=(-std=gnu17 -O1 -Wno-everything -Wreturn-type -ffp-contract=off
    -fno-strict-aliasing -Wno-error=implicit-function-declaration
    -Wno-error=implicit-int -Wno-error=int-conversion
    -Wno-error=incompatible-function-pointer-types)

leave() # N REASON
{
    printf '%s %s\n' "$(basename "${file_of[$1]}")" "$2" >>"$out/left"
    unset "file_of[$1]"
}

numbers()
{
    [ "${#file_of[@]}" -eq 0 ] || printf '%s\n' "${!file_of[@]}" | sort -n
}

# The words of clang's own call of its front end, but for its files.
front_end() # OPTION...
{
    local words i

    eval "words=($(clang-19 -### "${flags[@]}" "$@" -x c -c /dev/null 2>&1 |
        grep '"-cc1"'))"
    cc1=()
    for ((i = 0; i < ${#words[@]}; i++)); do
        case ${words[i]} in
        -o | -main-file-name | -x) i=$((i + 1)) ;;
        /dev/null) ;;
        *) cc1+=("${words[i]}") ;;
        esac
    done
    cc1+=(-x c)
}

# Each N.c of the current folder to N.o; what is said goes to N's log. The first file
# that has no object has the error.
compile_each()
{
    local todo first n

    mapfile -t todo < <(numbers)
    while [ "${#todo[@]}" -gt 0 ]; do
        "${cc1[@]}" "${todo[@]/%/.c}" 2>log || true
        cat log >>logs
        first=
        for n in "${todo[@]}"; do
            if [ ! -f "$n.o" ]; then
                first=$n
                break
            fi
        done
        [ -n "$first" ] || return 0
        leave "$first" "$(grep -m 1 -oE '(error: |Stack dump).*' log |
            sed 's/error: //')"
        mapfile -t todo < <(numbers | while read -r n; do
            [ -f "$n.o" ] || echo "$n"; done)
    done
}

# By number: does main return without a value? what does it take?
declare -A is_void=() takes=()
look_at_mains()
{
    local n

    while read -r n; do
        is_void[$n]=yes
    done < <(sed -n 's/^\([0-9]*\)\.c:.*Wreturn-type\].*/\1/p' logs | sort -u)
    for n in $(mains_of 'int *[a-z]+ *\)'); do
        takes[$n]=1
    done
    for n in $(mains_of '[a-z][^(),]*,'); do
        takes[$n]='1, (char *[]){"bot", 0}'
    done
}

mains_of() # PATTERN: of what follows "main("
{
    grep -lE "\bmain *\( *$1" ./*.c | tr -dc '0-9\n'
}

# Program N, of N.c and the list of its names.
write_one() # N
{
    local n=$1 arguments=${takes[$1]:-} call

    call="return main($arguments);"
    # Under another name main returns nothing where it says nothing.
    [ -z "${is_void[$n]:-}" ] || call="main($arguments); return 0;"
    {
        echo '#pragma clang diagnostic ignored "-Weverything"'
        echo 'void torture_abort(void) __attribute__((noreturn));'
        echo 'void torture_exit(int) __attribute__((noreturn));'
        for name in abort exit __builtin_abort __builtin_exit; do
            echo "#define $name torture_${name#__builtin_}"
        done
        cat "$n.names" 2>/dev/null
        echo "#line 1 \"$(basename "${file_of[$n]}")\""
        cat "$n.c"
        printf '\nint torture_run_%s(void) { %s }\n' "$n" "$call"
    } >"$out/t_$n.c"
}

# The table of what there is to run.
write_runs()
{
    numbers | sed 's/.*/int torture_run_&(void);/'
    echo "static int (*const runs[])(void) = {"
    numbers | sed 's/.*/[&] = torture_run_&,/'
    echo "};"
}

# A native program that runs each in a process of its own and says who ended
# with 0.
write_trial()
{
    cat <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void torture_abort(void) { _exit(1); }
void torture_exit(int with) { exit(with); }
END
    write_runs
    cat <<'END'
int main(void)
{
    for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
        int status = 1;
        if (!runs[i])
            continue;
        pid_t pid = fork();
        if (pid == 0) {
            alarm(SECONDS);
            freopen("/dev/null", "w", stdout);
            exit(runs[i]());
        }
        if (waitpid(pid, &status, 0) == pid && status == 0)
            printf("%u\n", i);
        fflush(stdout);
    }
}
END
}

# Names that only the linker misses are a fault of the program that has them.
link_trial()
{
    local n missing

    while ! gcc -o ../trial ../trial.c -DSECONDS="$ENDS" ./*.o -lm 2>log; do
        mapfile -t missing < <(sed -n \
            's,^[^(]*[ /]\([0-9]*\)\.o:\( in function\|(\).*,\1,p' log |
            sort -un)
        [ "${#missing[@]}" -gt 0 ] || { cat log >&2; return 1; }
        for n in "${missing[@]}"; do
            leave "$n" "$(grep -m 1 -o 'undefined.*' log)"
            rm "$n.o"
        done
        write_trial >../trial.c
    done
}

leave_endless()
{
    local n

    mkdir "$work/trial.d" && cd "$work/trial.d"
    for n in $(numbers); do cp "$out/t_$n.c" "$n.c"; done
    compile_each
    write_trial >../trial.c
    link_trial
    ../trial </dev/null >../ended
    for n in $(numbers); do
        grep -qx "$n" ../ended || leave "$n" "does not end with 0"
    done
    cd "$work"
}

cd "$work"
includes=()
n=0
for file in "$@"; do
    cp "$file" "$n.c"
    file_of[$n]=$file
    includes+=("-I$(dirname "$file")")
    n=$((n + 1))
done
for n in $(grep -lE \
    '\b(__)?asm(__)?\b *(volatile|__volatile__|goto)? *\(' ./*.c |
    tr -dc '0-9\n'); do
    leave "$n" "inline assembly"
done
mapfile -t includes < <(printf '%s\n' "${includes[@]}" | sort -u)
front_end "${includes[@]}" -Dmain=torture_main
compile_each
look_at_mains
nm --defined-only --extern-only --print-file-name --format=posix ./*.o |
    sed 's/: torture_main /: main /' |
    awk '$2 != "abort" && $2 != "exit" {
        n = $1
        gsub(/[^0-9]/, "", n)
        print "#define", $2, $2 "_" n >(n ".names")
    }'
for n in $(numbers); do write_one "$n"; done
if [ -n "${ENDS:-}" ]; then
    # A loop that neither ends nor does anything may be left out by the optimiser
    # (C11 6.8.5p6): at one level it is, at another it is not.
    front_end "${includes[@]}" -fno-finite-loops
    leave_endless
fi
for ((n = 0; n < $#; n++)); do
    [ -n "${file_of[$n]:-}" ] || rm -f "$out/t_$n.c"
done
numbers >"$out/input"
for n in $(numbers); do echo "$n ${file_of[$n]}"; done >"$out/names"
{
    cat <<'END'
#include <setjmp.h>
#include <stdio.h>
static jmp_buf over;
static int code;
void torture_abort(void) { code = 1000; longjmp(over, 1); }
void torture_exit(int with) { code = with & 255; longjmp(over, 1); }
END
    write_runs
    cat <<'END'
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
[ -s "$out/names" ]
