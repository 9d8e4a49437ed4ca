#!/usr/bin/env bash
# What a counted program costs against what a contestant would have had: the
# processor time, the kernel's for it included, of each program of KERNELS
# (default: tests/bench/library) as a ratio to clang++ -O2 with the host's own
# libraries. Runs are interleaved, the medians of RUNS (default 5) are taken, the
# start of an empty program is taken off both. The goals are 1.3 for sort, map,
# math and bfs, 1.5 for printf and scanf, 2 for iostream and unordered_map.
set -eu
cd "$(dirname "$0")/../.."
BUILD=$(cd "${BUILD:-build}" && pwd)
kernels=${KERNELS:-tests/bench/library}
runs=${RUNS:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A number of lines, then two numbers and a word on each.
awk 'BEGIN {
    print n = 100000
    for (s = 1; n-- > 0; s = s * 16807 % 2147483647)
        print s, int(s / 1000) - 1000000, substr("NORTHEASTSOUTHWEST", s % 9 + 1, s % 7 + 2)
}' >"$scratch/lines"

seconds() { # COMMAND...: processor time, its own and its children's
    TIMEFORMAT='%U %S'
    { time "$@" <"$input" >/dev/null 2>&1; } 2>&1 | awk '{print $1 + $2}'
}
make_both() { # SOURCE NAME
    clang++-19 -std=gnu++20 -O2 -w "$1" -o "$scratch/$2.native" &&
        BOUT_CACHE=$scratch/cache "$BUILD/bout" build "$1" \
            -o "$scratch/$2.bot" >/dev/null
}
run_both() { # NAME
    seconds "$scratch/$1.native" >>"$scratch/native.times"
    seconds "$BUILD/bout" count "$scratch/$1.bot" --input "$input" \
        --limit 1000000000000 >>"$scratch/counted.times"
}
median() { # NAME SHARE
    sort -n "$scratch/$1.times" | awk '{v[NR] = $1}
        END {print v[int((NR + 1) / 2)]}'
}
measure() { # NAME: sets counted, native
    : >"$scratch/native.times"
    : >"$scratch/counted.times"
    for ((i = 0; i < runs; i++)); do run_both "$1"; done
    counted=$(median counted) native=$(median native)
}

input=/dev/null
echo 'int main() {}' >"$scratch/empty.cpp"
make_both "$scratch/empty.cpp" empty
measure empty
empty=$counted empty_native=$native

for path in "$kernels"/*.cpp; do
    name=$(basename "$path" .cpp)
    make_both "$path" "$name"
    case $name in
    scanf | iostream) input=$scratch/lines ;;
    *) input=/dev/null ;;
    esac
    # Both must print the same: else a figure says nothing.
    cmp -s <("$scratch/$name.native" <"$input") <("$BUILD/bout" count \
        "$scratch/$name.bot" --input "$input" --limit 1000000000000 \
        2>/dev/null) || {
        echo "library: $name prints something else" >&2
        exit 3
    }
    measure "$name"
    jq -cn --arg name "$name" --argjson counted "$counted" \
        --argjson native "$native" --argjson empty "$empty" \
        --argjson empty_native "$empty_native" '
        {group: "library", name: $name, unit: "ratio",
         ours: (($counted - $empty) / ($native - $empty_native) * 1000 |
             round / 1000), peers: {clang: 1}}' | tee -a "$scratch/rows"
done
jq -sc '{group: "library", name: "geomean", unit: "ratio",
    ours: (map(.ours | log) | add / length | exp * 1000 | round / 1000),
    peers: {clang: 1}}' "$scratch/rows"
