#!/usr/bin/env bash
# All of GCC's torture suite for C, a hundred programs to a build; what was left
# out, and why, is said.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/packages/packages.sh
for ((n = 0; n < 16; n++)); do
    rm -rf "$scratch/programs"
    export TORTURE=$n
    ok "part $n is laid out" \
        timeout 1800 tests/packages/lay.sh "$scratch/programs" torture
    sed 's/^/# left out: /' "$scratch/programs/torture/left"
    is "part $n does what it does natively" "torture ok" \
        "$(PROGRAM_SECONDS=3000 tests/programs/run "$scratch/programs")"
done
tap_done
