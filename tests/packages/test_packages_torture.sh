#!/usr/bin/env bash
# 46 programs of GCC's torture suite; soak_torture.sh runs all of it.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/packages/packages.sh
packages torture
is "none of its programs was left out" "" \
    "$(cat "$scratch/programs/torture/left")"
tap_done
