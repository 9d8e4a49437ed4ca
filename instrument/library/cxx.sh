#!/bin/bash
# cxx: compiles the metered C++ library to bitcode and adds its headers.
#
#     instrument/library/cxx.sh ARCHIVE INCLUDE OUT
#
# ARCHIVE is LLVM's (fetch.sh llvm), of which only the needed folders are
# unpacked. INCLUDE is what headers.sh made: it gets c++/v1/. OUT gets a module a
# source, named by its path. Files are named `<libc++>/...` in line tables.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
archive=$1
include=$(cd "$2" && pwd)
mkdir -p "$3"
out=$(cd "$3" && pwd)
clang=${CLANGXX:-clang++-19}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

unpack()
{
    tar -C "$tree" --strip-components=1 -xJf "$archive" --wildcards \
        '*/libcxx/include/*' '*/libcxx/src/*' '*/libcxx/vendor/llvm/*' \
        '*/libcxxabi/include/*' '*/libcxxabi/src/*' '*/libunwind/include/*'
    mkdir -p "$tree/cxx" "$tree/instrument/bot"
    : >"$tree/libcxx/src/iostream_init.h" # cxx/streams.h
    cp "$here"/cxx/*.cpp "$tree/cxx/"
    cp "$here"/../bot/{page,runtime}.h "$tree/instrument/bot/"
}

add_headers()
{
    local to=$include/c++/v1

    mkdir -p "$include/c++"
    cp -r "$tree/libcxx/include" "$to"
    find "$to" -name '*.in' -delete
    rm -f "$to/CMakeLists.txt"
    cp "$tree"/libcxxabi/include/*.h "$to"
    cp "$here/cxx/__config_site" "$to/__config_site"
    cp "$tree/libcxx/vendor/llvm/default_assertion_handler.in" \
        "$to/__assertion_handler"
    cat "$here/cxx/streams.h" >>"$to/iostream"
    mkdir -p "$to/bits"
    cp "$here/cxx/stdc++.h" "$to/bits/stdc++.h"
}

# Expands sources.list: the last line that names a file decides.
list_units()
{
    declare -A unit
    local sign glob file

    while read -r sign glob; do
        case $sign in
        + | -) ;;
        *) continue ;;
        esac
        for file in $glob; do
            [ -f "$file" ] || { echo "cxx: $glob names no file" >&2; exit 3; }
            unit[$file]=$sign
        done
    done <"$here/cxx/sources.list"
    for file in "${!unit[@]}" cxx/*.cpp; do
        [ "${unit[$file]-+}" = - ] || printf '%s\n' "$file"
    done | sort
}

unpack
add_headers
mapfile -t flags < <(sed -n \
    's/^FLAG(\(BOTH\|LIBRARY_CXX\), "\(.*\)",.*/\2/p' "$here/flags.def" |
    sed 's/\\"/"/g')
cd "$tree"
search=(-isystem "$include/c++/v1" -Ilibcxxabi/include -Ilibcxx/src
    -Ilibcxxabi/src -Ilibunwind/include -I. -isystem "$include")
prefix=(-ffile-prefix-map=./='<libc++>/' -ffile-prefix-map=libcxx='<libc++>'
    -ffile-prefix-map=libcxxabi='<libc++abi>'
    "-ffile-prefix-map=$include/=<libc>/include/")
printf '"%s"\n' "${flags[@]//\"/\\\"}" "${search[@]}" "${prefix[@]}" >flags
export clang out
list_units >units
xargs -n 1 -P "${JOBS:-2}" sh -c '
    exec "$clang" @flags -o "$out/$(echo "${0%.cpp}" | tr / _).bc" "$0"' <units

# Last: the library itself is compiled with all of its headers.
"$here/absent.sh" "$here/cxx/absent.list" "$include/c++/v1"
