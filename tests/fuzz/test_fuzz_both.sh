#!/usr/bin/env bash
# A dozen random programs in C and four in C++, counted in two ways that are
# compared as they run: at their ends, exits, longjmps and at five stops each.
# `make fuzz PLACEMENT=both` tries thousands.
cd "$(dirname "$0")/../.." && . tests/tap.sh
while read -r name verdict; do
    case $name in
    library:) ;;
    fuzz:) echo "# $verdict" ;;
    *)
        [ "$verdict" = ok ]
        tap_report $? "$name counts the same in both ways" "$verdict"
        ;;
    esac
done < <(PLACEMENT=both BATCH=6 timeout 570 tests/fuzz/run 12 100001 2>&1)
is "each build of them was tried" 6 "$tap_count"
tap_done
