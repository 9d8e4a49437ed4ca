#!/usr/bin/env bash
# Programs that nobody here wrote (sources.list), laid out by lay.sh: output, exit
# code, count and profile as tests/programs/run compares them.
cd "$(dirname "$0")/../.." && . tests/tap.sh

names=(zlib bzip2 lua json phalanx duktape sqlite)
ok "the packages' sources are there" \
    timeout 500 tests/packages/lay.sh "$scratch/programs" "${names[@]}"
while read -r name verdict; do
    [ "$verdict" = ok ]
    tap_report $? "$name does what it does natively" "$verdict"
done < <(PROGRAM_SECONDS=500 timeout 580 tests/programs/run "$scratch/programs")
is "every package was tried" $((${#names[@]} + 1)) "$tap_count"
tap_done
