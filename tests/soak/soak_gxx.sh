#!/usr/bin/env bash
# GCC's run programs for C++ and its library, two thousand, a part of them after
# the other (tests/packages/gxx/lay): each does what it does natively, unless it
# is `known`, with the reason, or has no native build by clang. Parts FIRST to
# LAST (0 to 63) alone by GXX_PARTS='FIRST LAST'.
cd "$(dirname "$0")/../.." && . tests/tap.sh
read -r first last <<<"${GXX_PARTS:-0 63}"
for ((n = first; n <= last; n++)); do
    rm -rf "$scratch/programs"
    GXX=$n tests/packages/lay.sh "$scratch/programs" gxx
    tried=0
    while read -r name verdict; do
        case $verdict in
        *"no native build"*)
            echo "# left out: $name: $verdict"
            continue
            ;;
        esac
        reason=$(sed -n "s/^$name //p" tests/packages/gxx/known)
        if [ -n "$reason" ] && [ "$verdict" != ok ]; then
            echo "# known: $name: $reason"
            continue
        fi
        [ "$verdict" = ok ]
        tap_report $? "$name does what it does natively" "$verdict"
        tried=$((tried + 1))
    done < <(PROGRAM_SECONDS=900 tests/programs/run "$scratch/programs/gxx")
    ok "part $n has programs" [ "$tried" -gt 0 ]
done
tap_done
