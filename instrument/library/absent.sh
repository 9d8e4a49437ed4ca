#!/bin/bash
# absent: writes the headers that a list names, each one an #error.
#
#     instrument/library/absent.sh LIST INCLUDE
#
# A header that is there is moved to __bout/, and those of the library's own that
# include it are led there: a program alone is told.
set -euo pipefail
export LC_ALL=C

list=$1
include=$2

set_aside()
{
    local header=$1

    mkdir -p "$include/__bout/$(dirname "$header")"
    mv "$include/$header" "$include/__bout/$header"
    { grep -rlE "^ *# *include <$header>" "$include" || true; } |
        xargs -r sed -i -E "s,^( *# *include <)$header>,\1__bout/$header>,"
}

message=
while read -r line; do
    case $line in
    '' | '#'*) ;;
    '['*)
        message=${line#[}
        message=${message%]}
        ;;
    *)
        for header in $line; do
            [ ! -f "$include/$header" ] || set_aside "$header"
            mkdir -p "$include/$(dirname "$header")"
            printf '#error "<%s>: %s"\n' "$header" "$message" \
                >"$include/$header"
        done
        ;;
    esac
done <"$list"
