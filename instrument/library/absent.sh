#!/bin/bash
# absent: takes the headers that absent.def names out of a folder.
#
#     instrument/library/absent.sh INCLUDE
#
# They are moved to __bout/, and those of the library's own that include them are
# led there: a program alone does not find them.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
include=$1

set_aside()
{
    local header=$1

    mkdir -p "$include/__bout/$(dirname "$header")"
    mv "$include/$header" "$include/__bout/$header"
    { grep -rlE "^ *# *include <$header>" "$include" || true; } |
        xargs -r sed -i -E "s,^( *# *include <)$header>,\1__bout/$header>,"
}

while read -r header; do
    [ ! -f "$include/$header" ] || set_aside "$header"
done < <(sed -n 's/^ABSENT("\(.*\)")$/\1/p' "$here/absent.def")
