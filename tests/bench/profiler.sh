#!/bin/sh
# The profiler's rows of `make bench`: one JSON object a line.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "${BUILD:-build}")
out=$build/bench
mkdir -p "$out"
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 -I. -o "$out/profiler" \
    tests/bench/profiler.c "$build/libbout.a" -ljansson -lprotobuf-c -lz \
    -lsodium -lm -lpthread
timeout 300 "$out/profiler"

# A match of 2 x 100 turns by a worker that profiles itself.
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 -I. -o "$out/service" \
    tests/bench/service.c "$build/libbout.a" -lseccomp -larchive -lsodium \
    -ljansson -lprotobuf-c -lz -lzstd -lpthread -lm
mkdir -p "$out/games"
cp -r tests/bench/games/hundred runner/games/referee.c "$out/games"
cp runner/game.h "$out"
BOUT_GAMES=$out/games BOUT_LIBRARY=$build/library \
    BOUT_METER=$build/bout-meter timeout 200 "$out/service" \
    "${SECONDS_EACH:-5}"
