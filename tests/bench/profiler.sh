#!/bin/sh
# The profiler's rows of `make bench`: one JSON object a line.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
out=$build/bench
mkdir -p "$out"
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 -I. -o "$out/profiler" \
    tests/bench/profiler.c "$build/libbout.a" -ljansson -lprotobuf-c -lz \
    -lsodium -lm -lpthread
exec timeout 300 "$out/profiler"
