#!/usr/bin/env bash
# lay: makes program folders of packages that nobody here wrote.
#
#     tests/packages/lay.sh OUT NAME...
#
# OUT gets a folder NAME each, as tests/programs/run takes them: the package's own
# sources, our main, the input. NAME/lay in this folder says which sources, what
# is left out and why; it runs with
#     $here      tests/packages/NAME
#     $out       OUT/NAME, empty
#     unpack PACKAGE FOLDER PATTERN...    members of a source archive (the first
#                                         folder of their paths taken off)
#     gcc_suite NAME STRIP PATTERN...     where those members of GCC's own archive
#                                         are, so many folders of their paths
#                                         taken off: unpacked once, as NAME
# Archives are fetched once (sources.list, instrument/library/fetch.sh).
set -euo pipefail
export LC_ALL=C
packages=$(cd "$(dirname "$0")" && pwd)
fetch=$packages/../../instrument/library/fetch.sh

unpack() # NAME FOLDER PATTERN...
{
    local package archive sum path to=$2

    read -r _ package archive sum < <(grep "^$1 " "$packages/sources.list")
    path=$("$fetch" "$package" "$archive" "$sum")
    mkdir -p "$to"
    shift 2
    tar -xf "$path" -C "$to" --strip-components=1 --wildcards "$@"
}

gcc_suite() # NAME STRIP PATTERN...
{
    local suite=${BOUT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bout}/$1 strip=$2

    shift 2
    if [ ! -d "$suite" ]; then # 80 MB, an archive inside the archive
        unpack gcc inner '*/gcc-12.2.0-dfsg.tar.xz'
        mkdir -p "$suite.$$"
        tar -xJf inner/gcc-12.2.0-dfsg.tar.xz -C "$suite.$$" \
            --strip-components="$strip" --wildcards "$@"
        rm -r inner
        mv -T "$suite.$$" "$suite" || [ -d "$suite" ]
    fi
    echo "$suite"
}

mkdir -p "$1"
all=$(cd "$1" && pwd)
shift
for name in "$@"; do
    here=$packages/$name
    out=$all/$name
    mkdir -p "$out"
    # shellcheck source=/dev/null
    (cd "$out" && source "$here/lay")
done
