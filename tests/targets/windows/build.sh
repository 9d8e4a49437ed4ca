#!/bin/sh
# Compiles the runtime of bots under Windows, and the import library it needs:
#
#     build.sh OUT_FOLDER
#
# OUT_FOLDER gets *.obj and kernel32.lib, all that lld-link adds to a bot's own
# object. instrument/bot's files are compiled as they are, but for those that
# windows/*.c and entry.S stand in for; the headers in shadow/ come first.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/tests/targets/windows
out=$1
mkdir -p "$out"

# Cygwin's triple: Windows' calling convention and objects, a `long` of 64 bits.
flags="--target=x86_64-pc-windows-cygnus -std=gnu17 -O2 -ffreestanding
-fno-builtin -fno-stack-protector -fno-asynchronous-unwind-tables -fno-ident
-fno-strict-aliasing -g0 -Wall -Wextra -Wshadow -Wvla -Wconversion -Werror"

for name in count event heap jump natives turn; do
    set -- "$@" "$root/instrument/bot/$name.c"
done
shift
for source in "$@" "$here"/*.c "$here/entry.S"; do
    # shellcheck disable=SC2086
    "${CLANG:-clang-19}" $flags -I"$here/shadow" -I"$root" -c "$source" \
        -o "$out/$(basename "$source").obj"
done
{
    echo 'LIBRARY kernel32.dll'
    echo 'EXPORTS'
    sed -nE 's/^KERNEL32 .*[ *]([A-Z][A-Za-z]+)\(.*/\1/p' "$here/kernel32.h"
} >"$out/kernel32.def"
llvm-dlltool-19 -m i386:x86-64 -d "$out/kernel32.def" -l "$out/kernel32.lib"
