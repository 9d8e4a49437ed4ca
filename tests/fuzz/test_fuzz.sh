#!/usr/bin/env bash
# A hundred random programs in C and eight in C++, against native and on both
# targets; `make fuzz` tries thousands. It ends early on a slow host, never
# before the first half.
cd "$(dirname "$0")/../.." && . tests/tap.sh
while read -r name verdict; do
    case $name in
    fuzz:) echo "# $verdict" ;;
    *)
        [ "$verdict" = ok ]
        tap_report $? "$name does what it does natively" "$verdict"
        ;;
    esac
done < <(SECONDS_LEFT=110 timeout 500 tests/fuzz/run 100 2>&1)
[ "$tap_count" -ge 6 ]
tap_report $? "fifty programs in C were tried at least" "$tap_count builds"
tap_done
