#!/bin/bash
# headers: puts the headers that bots see into an empty folder.
#
#     instrument/library/headers.sh TREE INCLUDE
#
# TREE is what lay.sh made. musl brings its own freestanding headers; of clang's
# only those that it lacks are copied. Headers named in absent.def are taken out.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
tree=$1
include=$2
clang=${CLANG:-clang-19}

mkdir -p "$include"
cp -r "$tree/include/." "$include"
rm "$include/alltypes.h.in"
mkdir -p "$include/bits"
cp "$tree"/arch/generic/bits/*.h "$include/bits"
cp "$tree"/arch/bout/bits/*.h "$include/bits"

own=$("$clang" -print-resource-dir)/include
cp "$own"/{stdatomic.h,stdckdint.h} "$include"

mkdir "$include/bout"
cp "$here/../../profiler/profile.h" "$include/bout"

"$here/absent.sh" "$include"
