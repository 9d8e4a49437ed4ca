#!/usr/bin/env bash
# The jail where control groups of version 2 can be divided, under Debian's own
# kernel: the short form of tests/soak/soak_guest.sh, in a virtual machine.
cd "$(dirname "$0")/../.." && . tests/tap.sh

if [ "$(uname -m)" != x86_64 ]; then
    skip "a guest" "its kernel and programs would be x86-64's"
    tap_done
    exit
fi
GUEST_SECONDS=500 tests/guest/run linux-image-cloud-amd64 short >"$scratch/guest" 2>"$scratch/said"
case $? in
0) cat "$scratch/guest" ;;
3)
    skip "a guest" "$(tail -1 "$scratch/said")"
    tap_done
    ;;
*)
    tap_report 1 "a guest" "$(cat "$scratch/said" "$scratch/guest")"
    tap_done
    ;;
esac
