#!/usr/bin/env bash
# What counting costs: the processor time of each kernel (kernels.sh) as a ratio
# to the same bitcode uncounted; lowered alike, run in the same jail. Beside it,
# as far as their tools are installed:
#   reference, one, classic   other placements (instrument/placement.def)
#   lowering      the uncounted one against native clang -O2
#   pgo           clang's -fprofile-instr-generate against clang -O2
#   sancov        its 8-bit coverage counters, likewise
#   wasm          clang for WebAssembly under node, against clang -O2
#   wasm_metered  the same after npm's wasm-metering, against wasm
#   qemu, valgrind, callgrind   the native program under them, against it alone
# Runs are interleaved, the least of RUNS (default 5) is taken (of the last
# four, one run), the start of an empty program is taken off. PEERS names some
# of them only; PEERS= none. Programs that nobody here wrote (tests/packages),
# none of which the placement was tuned by, are rows and a mean of their own;
# KERNELS=DIR and PACKAGES= leave them out.
set -eu
cd "$(dirname "$0")/../.."
BUILD=$(cd "${BUILD:-build}" && pwd)
runs=${RUNS:-5}
peers=${PEERS-reference one classic pgo sancov wasm wasm_metered qemu valgrind callgrind}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. tests/bench/kernels.sh
. tests/bench/peers.sh

placements="chords none"
for peer in $peers; do
    case $peer in reference | one | classic) placements+=" $peer" ;; esac
done
for placement in $placements; do
    folder=$BUILD/library-$placement
    [ "$placement" != chords ] || folder=$BUILD/library
    [ "$placement" = chords ] || instrument/library/build.sh "$folder" \
        "$BUILD/bout-meter" "$placement" >&2
    ln -s "$folder" "$scratch/library.$placement"
done
ways="$placements native $(peers_there $peers)"

is_placement()
{
    case " $placements " in
    *" $1 "*) ;;
    *) return 1 ;;
    esac
}

build() # WAY: of the kernel at hand; false: it cannot be built in that way
{
    if is_placement "$1"; then
        BOUT_LIBRARY=$scratch/library.$1 BOUT_CACHE=$scratch/cache \
            "$BUILD/bout" build "$path" -o "$scratch/$1.bot" \
            --build-seconds 200
    else
        peer_build "$1"
    fi
}

run() # WAY: its processor time
{
    if is_placement "$1"; then
        kernel_seconds env BOUT_LIBRARY="$scratch/library.$1" "$BUILD/bout" \
            count "$scratch/$1.bot" --input "$input" --limit 1000000000000
    else
        peer_run "$1"
    fi
}

# Leaves $scratch/times/WAY, a number a line.
measure()
{
    local way there=

    rm -rf "$scratch/times" && mkdir "$scratch/times"
    for way in $ways; do
        if build "$way" >"$scratch/log" 2>&1; then
            there+=" $way"
        else
            echo "bench: $name is left out by $way:" \
                "$(head -n 1 "$scratch/log")" >&2
        fi
    done
    for ((round = 0; round < runs; round++)); do
        for way in $there; do
            [ "$round" -gt 0 ] && peer_is_slow "$way" && continue
            run "$way" >>"$scratch/times/$way"
        done
    done
}

least() # as one JSON object
{
    local way

    for way in "$scratch"/times/*; do
        printf '{"%s":%s}\n' "$(basename "$way")" "$(kernel_least <"$way")"
    done | jq -sc add
}

mkdir "$scratch/empty"
echo 'int main(void) { return 0; }' >"$scratch/empty/empty.c"
kernel_open "$scratch/empty/empty.c"
measure
start=$(least)
bench_row='
    def ratio($a; $b): if $a and $b then ($a / $b * 1000 | round / 1000) else null end;
    . as $t | ($t | with_entries(.value = ([.value - ($start[.key] // 0), 0.001] | max))) as $t
    | {group: "meter", name: $name, unit: "ratio", ours: ratio($t.chords; $t.none),
       peers: ({reference: ratio($t.reference; $t.none), one: ratio($t.one; $t.none),
        classic: ratio($t.classic; $t.none), lowering: ratio($t.none; $t.native),
        pgo: ratio($t.pgo; $t.native), sancov: ratio($t.sancov; $t.native),
        wasm: ratio($t.wasm; $t.native), wasm_metered: ratio($t.wasm_metered; $t.wasm),
        qemu: ratio($t.qemu; $t.native), valgrind: ratio($t.valgrind; $t.native),
        callgrind: ratio($t.callgrind; $t.native)} | with_entries(select(.value)))}'
rows() # SUMMARY: of the kernels in $kernels, then their mean and worst
{
    local path

    : >"$scratch/rows"
    while read -r path; do
        kernel_open "$path" || continue
        measure
        least | jq -c --argjson start "$start" --arg name "$name" \
            "$bench_row" | tee -a "$scratch/rows"
    done < <(kernel_paths)
    jq -sc --arg suffix "$1" '
        def mean: map(select(.)) | if length > 0
            then map(log) | add / length | exp * 1000 | round / 1000 else null end;
        (map(.peers | keys) | add | unique) as $peers | . as $rows |
        def row($name; f): {group: "meter", name: ($name + $suffix),
            unit: "ratio", ours: ($rows | map(.ours) | f),
            peers: ($peers | map({(.): (. as $p | $rows | map(.peers[$p]) | f)})
                | add)};
        row("geomean"; mean), row("worst"; map(select(.)) | max)' "$scratch/rows"
}

rows ""
[ -z "${KERNELS:-}" ] || exit 0
packages=${PACKAGES-zlib bzip2 lua duktape json phalanx}
[ -n "$packages" ] || exit 0
read -ra packages <<<"$packages"
tests/packages/lay.sh "$scratch/packages" "${packages[@]}"
# What is short as a test is repeated.
long=$scratch/packages/duktape/input
if [ -f "$long" ]; then
    for _ in {1..30}; do cat "$long"; done >"$scratch/long"
    mv "$scratch/long" "$long"
fi
[ ! -d "$scratch/packages/json" ] || echo 40 >"$scratch/packages/json/input"
kernels=$scratch/packages
rows _packages
