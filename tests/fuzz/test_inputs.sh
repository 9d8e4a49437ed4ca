#!/usr/bin/env bash
# What strangers send, made up for a few seconds a parser; `make fuzz` goes on
# for ten minutes each.
cd "$(dirname "$0")/../.." && . tests/tap.sh
make -s fuzzers >"$scratch/make" 2>&1
tap_report $? "the fuzzers are built" "$(tail -20 "$scratch/make")"
lines=$(SEED=1 timeout 300 tests/fuzz/inputs 3 2>&1)
for program in tests/fuzz/fuzz_*.c; do
    name=${program#tests/fuzz/fuzz_}
    like "${name%.c}: no input is a fault" "^${name%.c} ok after" \
        "$(grep -A60 "^${name%.c} " <<<"$lines")"
done
tap_done
