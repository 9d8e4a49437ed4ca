#!/bin/sh
# The count's own rows of `make bench`, compiled as the runtime is.
set -eu
cd "$(dirname "$0")/../.."
out=${BUILD:-build}/bench
mkdir -p "$out"
clang-19 -std=gnu17 -D_GNU_SOURCE -O2 -w -I. -o "$out/count" tests/bench/count.c
exec timeout 300 "$out/count"
