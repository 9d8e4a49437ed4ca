#!/bin/bash
# precompile: makes the precompiled headers of precompiled.def.
#
#     instrument/library/precompile.sh INCLUDE
#
# INCLUDE/pch/FILE is what clang reads in place of a header's text. Paths in it
# are relative to the folder that holds INCLUDE by the name .bout, as in the box
# of a build; no time stamp is kept, so a copy serves as well.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
include=$(cd "$1" && pwd)
clang=${CLANG:-clang-19}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mapfile -t flags < <(sed -n \
    's/^FLAG(\(BOTH\|BOT\|BOT_CXX\), "\(.*\)",.*/\2/p' "$here/flags.def" |
    sed 's/\\"/"/g' | grep -vxE -e '-c|-emit-llvm')
mapfile -t -O "${#flags[@]}" flags < <(
    sed -n 's/^FOREIGN(\(.*\))$/-U\1/p' "$here/foreign.def")
printf '"%s"\n' "${flags[@]//\"/\\\"}" >"$scratch/flags"
# By links every name would be that of the folder behind them.
cp -r "$include" "$scratch/.bout"
mkdir "$scratch/.bout/pch"

export clang
cd "$scratch"
sed -n 's/^PRECOMPILED("\(.*\)", "\(.*\)")$/\1 \2/p' \
    "$here/precompiled.def" | xargs -n 2 -P "${JOBS:-2}" sh -c '
    printf "#include <%s>\n" "$0" >".bout/pch/$1.h"
    exec "$clang" @flags -x c++-header -Wno-c23-extensions -I. \
        -isystem .bout/c++/v1 -isystem .bout --embed-dir=. \
        --relocatable-pch -isysroot "$PWD" -Xclang -fno-pch-timestamp \
        -o ".bout/pch/$1" ".bout/pch/$1.h"'
cp -r .bout/pch "$include/pch"
