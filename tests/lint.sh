#!/usr/bin/env bash
# Style by machine: layers, formatting, no goto, file sizes, clang-tidy,
# cppcheck. Prints what is wrong; any exit code but 0 says that something is.
#
#     tests/lint.sh [FILE...]    these sources and headers alone; else all
set -u
cd "$(dirname "$0")/.." || exit 2
export BUILD=${BUILD:-build}
musl=$BUILD/lint/musl
wrong=0

# Programs that tests build, run and count as a contestant's: what people write
# (goto, unchecked scanf, names of all kinds, bombs) is what they are there for.
inputs='tests/(edges|hostile|library|packages|programs)/.*'
inputs+='|tests/meter/(endless|programs)/.*|tests/bench/(games|kernels)/.*'

list_files()
{
    if [ $# -gt 0 ]; then
        printf '%s\n' "$@"
    else
        git ls-files '*.c' '*.h'
    fi | grep -vxE "$inputs"
}

# musl's internal headers, for the library's own sources.
lay_musl()
{
    [ ! -f "$musl/units" ] || return 0
    rm -rf "$musl"
    instrument/library/lay.sh "$(instrument/library/fetch.sh musl)" "$musl"
}

# The flags that file $1 is compiled with, as far as its meaning goes.
flags_of()
{
    case $1 in
    instrument/library/src/*)
        sed -n 's/^FLAG(\(BOTH\|LIBRARY\), "\(.*\)",.*/\2/p' \
            instrument/library/flags.def | grep -v -- '^-std\|__' |
            grep -E '^-(-target|m|f(signed|free|no-builtin)|nostd)'
        printf -- '-I%s\n' "$musl"/{arch/bout,arch/generic,src/include} \
            "$musl"/{src/internal,include}
        ;;
    *)
        printf '%s\n' -isystem "$(llvm-config-19 --includedir)" \
            "-I$BUILD/generated"
        ;;
    esac
    case $1 in
    tests/targets/windows/*)
        printf '%s\n' --target=x86_64-pc-windows-cygnus -ffreestanding \
            -Itests/targets/windows/shadow
        ;;
    esac
    printf '%s\n' -std=gnu17 -D_GNU_SOURCE -I.
}

# clang-tidy, a file a process: its finding is its status.
tidy_one()
{
    local flags said

    mapfile -t flags < <(flags_of "$1")
    said=$(clang-tidy --quiet "$1" -- "${flags[@]}" 2>&1) && return 0
    grep -vE '^[0-9]+ warnings?.* (generated|errors)' <<<"$said"
    return 1
}
export musl
export -f flags_of tidy_one

mapfile -t files < <(list_files "$@")
mapfile -t sources < <(printf '%s\n' "${files[@]}" | grep '\.c$')

tests/layers.sh || wrong=1
if grep -nE '\bgoto [a-z_]+;' "${files[@]}"; then
    echo "lint: goto is not used here (style: cleanup attributes)"
    wrong=1
fi
for file in "${files[@]}"; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 600 ] || { echo "lint: $file has $lines lines"; wrong=1; }
done
clang-format --dry-run --Werror "${files[@]}" || wrong=1
[ "${#sources[@]}" -gt 0 ] || exit $wrong
# It takes a register's name, __asm__("x8"), for an array, and address 0 of a
# segment, where the counts' tests have the hidden page, for none.
cppcheck --quiet -j "$(nproc)" --std=c11 --inline-suppr --error-exitcode=1 \
    --enable=warning,performance,portability --library=tests/cppcheck.cfg \
    -I. --suppress=missingInclude \
    --suppress=constStatement:instrument/bot/syscall.h \
    --suppress=nullPointer:instrument/bot/count.c \
    --suppress=nullPointer:'tests/*count*' "${sources[@]}" || wrong=1
make --silent BUILD="$BUILD" "$BUILD"/generated/{pprof.pb-c.c,meter_sources.h} &&
    lay_musl || wrong=1
printf '%s\0' "${sources[@]}" |
    xargs -0 -n 1 -P "$(nproc)" bash -c 'tidy_one "$0"' || wrong=1
exit $wrong
