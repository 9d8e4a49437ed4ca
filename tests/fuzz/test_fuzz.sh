#!/usr/bin/env bash
# Random programs against native: a short form of `make fuzz`, the same seeds each
# time, within five minutes.
cd "$(dirname "$0")/../.." && . tests/tap.sh

said=$(SECONDS_LEFT=240 tests/fuzz/run 100 2>&1)
tap_report $? "random programs do what they do natively" "$said"
like "programs in C were among them" '^c_[0-9]+ ok' "$said"
like "and programs in C++" '^cpp_[0-9]+ ok' "$said"
is "a seed gives one program" \
    "$(awk -v seed=7 -f tests/fuzz/generate.awk | sha256sum)" \
    "$(awk -v seed=7 -f tests/fuzz/generate.awk | sha256sum)"
tap_done
