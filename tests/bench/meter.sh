#!/usr/bin/env bash
# What counting costs: the processor time of each program of KERNELS (default:
# tests/bench/kernels) as a ratio to the same program uncounted, beside the
# other placements (instrument/placement.def): all are lowered alike and run in
# the same jail; runs are interleaved, the medians of RUNS (default 5) are taken,
# the start of an empty program is taken off. `lowering` is what the uncounted
# program costs against native clang -O2.
set -eu
cd "$(dirname "$0")/../.."
BUILD=$(cd "${BUILD:-build}" && pwd)
kernels=${KERNELS:-tests/bench/kernels}
runs=${RUNS:-5}
placements=(chords none reference one classic)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo 'int main(void) { return 0; }' >"$scratch/empty.c"
for placement in "${placements[@]}"; do
    folder=$BUILD/library-$placement
    [ "$placement" != chords ] || folder=$BUILD/library
    [ "$placement" = chords ] || instrument/library/build.sh "$folder" \
        "$BUILD/bout-meter" "$placement" >&2
    ln -s "$folder" "$scratch/library.$placement"
done

seconds() { # COMMAND...: processor time, its own and its children's
    TIMEFORMAT=%U
    { time "$@" >/dev/null 2>&1; } 2>&1
}
play() { # NAME PLACEMENT
    BOUT_LIBRARY=$scratch/library.$2 seconds "$BUILD/bout" count \
        "$scratch/$1.$2.bot" --input "$input" --limit 1000000000000
}
build() { # SOURCE NAME PLACEMENT
    BOUT_LIBRARY=$scratch/library.$3 BOUT_CACHE=$scratch/cache \
        "$BUILD/bout" build "$1" -o "$scratch/$2.$3.bot" >/dev/null 2>&1
}
median() {
    sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

input=/dev/null
for placement in "${placements[@]}"; do
    build "$scratch/empty.c" empty "$placement"
done
for ((i = 0; i < runs; i++)); do
    play empty none >>"$scratch/empty.times"
done
start=$(median <"$scratch/empty.times")

for path in "$kernels"/*; do
    case $path in
    *.c) native=clang-19 standard=-std=gnu17 sources=("$path") ;;
    *.cc | *.cpp) native=clang++-19 standard=-std=gnu++20 sources=("$path") ;;
    *)
        [ -d "$path" ] || continue
        native=clang++-19 standard=-w
        mapfile -t sources < <(find "$path" -name '*.c' -o -name '*.c[cp]*')
        ;;
    esac
    name=$(basename "$path")
    name=${name%.*}
    input=${path%.*}.in
    [ ! -d "$path" ] || input=$path/input
    [ -f "$input" ] || input=/dev/null
    "$native" "$standard" -O2 -w "${sources[@]}" -o "$scratch/native" -lm
    for placement in "${placements[@]}"; do
        build "$path" "$name" "$placement"
        : >"$scratch/$placement.times"
    done
    : >"$scratch/native.times"
    for ((i = 0; i < runs; i++)); do
        seconds "$scratch/native" <"$input" >>"$scratch/native.times"
        for placement in "${placements[@]}"; do
            play "$name" "$placement" >>"$scratch/$placement.times"
        done
    done
    {
        for placement in "${placements[@]}" native; do
            echo "$placement $(median <"$scratch/$placement.times")"
        done
    } | awk -v name="$name" -v start="$start" '
        {t[$1] = $2 - ($1 == "native" ? 0 : start)}
        END {
            n = t["none"] > 0 ? t["none"] : 0.001
            m = t["native"] > 0 ? t["native"] : 0.001
            printf "{\"group\":\"meter\",\"name\":\"%s\",\"unit\":\"ratio\"," \
                "\"ours\":%.3f,\"peers\":{\"reference\":%.3f,\"one\":%.3f," \
                "\"classic\":%.3f,\"lowering\":%.3f}}\n", name,
                t["chords"] / n, t["reference"] / n, t["one"] / n,
                t["classic"] / n, n / m
        }' | tee -a "$scratch/rows"
done
jq -sc '
    def mean(f): (map(f | log) | add / length | exp * 1000 | round / 1000);
    {group: "meter", name: "geomean", unit: "ratio", ours: mean(.ours),
     peers: {reference: mean(.peers.reference), one: mean(.peers.one),
             classic: mean(.peers.classic), lowering: mean(.peers.lowering)}},
    {group: "meter", name: "worst", unit: "ratio", ours: (map(.ours) | max),
     peers: {reference: (map(.peers.reference) | max),
             one: (map(.peers.one) | max),
             classic: (map(.peers.classic) | max),
             lowering: (map(.peers.lowering) | max)}}' "$scratch/rows"
