#!/bin/bash
# compile: compiles the laid-out library to bitcode, a module a file.
#
#     instrument/library/compile.sh TREE OUT
#
# TREE is what lay.sh made; OUT/DIR/NAME.bc is written for each of its units.
# Flags are those of flags.def; files are named `<libc>/src/...` in line tables.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
clang=${CLANG:-clang-19}

# musl looks for its own headers in this order.
include=(-I. -Iarch/bout -Iarch/generic -Isrc/include -Isrc/internal -Iinclude)

mapfile -t flags < <(sed -n \
    's/^FLAG(\(BOTH\|LIBRARY\), "\(.*\)",.*/\2/p' "$here/flags.def" |
    sed 's/\\"/"/g')
# The last prefix that fits counts.
prefix=()
for folder in arch include instrument src; do
    prefix+=("-ffile-prefix-map=$folder/=<libc>/$folder/")
done
prefix+=("-ffile-prefix-map=instrument/library/src/=<libc>/src/bout/")

# The string functions' word loops go by address: their count would depend on
# alignment. musl has byte loops for compilers that are not GNU's.
extra_flags()
{
    case $1 in
    src/string/* | src/multibyte/mbsrtowcs.c) echo -U__GNUC__ ;;
    esac
    case $1 in
    src/*) echo -w ;; # not our sources
    *) echo -std=gnu17 -D_GNU_SOURCE -Wall -Wextra ;;
    esac
}

compile_one()
{
    local unit=$1 bitcode=$out/${1%.c}.bc

    # shellcheck disable=SC2046  # words
    "$clang" "${flags[@]}" "${include[@]}" "${prefix[@]}" \
        $(extra_flags "$unit") -o "$bitcode" "$unit"
}

# Every second file of the list, from number $1 on.
compile_share()
{
    local i

    for ((i = $1; i < ${#unit[@]}; i += jobs)); do
        compile_one "${unit[i]}" || return 1
        if [ -t 2 ] && ((i % 50 == 0)); then
            printf '\rlibrary: %d of %d files' "$i" "${#unit[@]}" >&2
        fi
    done
}

jobs=${JOBS:-2}
cd "$tree"
mapfile -t unit <units
printf '%s\n' "${unit[@]%/*}" | sort -u | (cd "$out" && xargs mkdir -p)
pids=()
for ((share = 0; share < jobs; share++)); do
    compile_share "$share" &
    pids+=($!)
done
status=0
for pid in "${pids[@]}"; do
    wait "$pid" || status=3
done
if [ -t 2 ]; then
    printf '\rlibrary: %d of %d files\n' "${#unit[@]}" "${#unit[@]}" >&2
fi
exit "$status"
