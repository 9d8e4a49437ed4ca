#!/bin/sh
# The jail's rows of `make bench`: one JSON object a line (contract, section 9).
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
out=$build/bench
mkdir -p "$out"
tests/hostile/native/build.sh "$build/hostile"
${CC:-gcc} -O2 -static -o "$out/peer" tests/bench/peer.c
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 -I. -o "$out/jail" tests/bench/jail.c \
    "$build/libbout.a" -lseccomp -lsodium -ljansson -lm
exec timeout 120 "$out/jail" "$build/hostile" "$out/peer" "${SECONDS_EACH:-3}"
