#!/bin/sh
# Compiles the trusted in-bot runtime into one object: build.sh OUT_OBJECT.
# Its code is one section, `bout_runtime`, so that the scan of a linked bot
# knows it; only the names of symbols.txt are seen by others.
set -eu

out=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/instrument/bot
clang=${CLANG:-clang-19}
objcopy=${OBJCOPY:-llvm-objcopy-19}
work=$(mktemp -d "${TMPDIR:-/tmp}/bout-runtime.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Zeroed registers: no hidden address may be left in one. No red zone is needed
# to be given up: handlers run on a stack of their own.
flags="-std=gnu17 -O2 -ffreestanding -fno-builtin -fno-pic -fno-pie \
-mcmodel=small -fno-stack-protector -fcf-protection=none -fomit-frame-pointer \
-fno-asynchronous-unwind-tables -fno-unwind-tables -fno-ident \
-fzero-call-used-regs=used -fno-strict-aliasing -g0 -Wall -Wextra -Wshadow \
-Wvla -Wconversion -Werror"

set --
for source in "$here"/*.c "$here"/*_x86_64.S; do
    object=$work/$(basename "$source").o
    # shellcheck disable=SC2086
    "$clang" --target=x86_64-linux-gnu $flags -I"$root" -c "$source" \
        -o "$object"
    set -- "$@" "$object"
done
${LD:-ld.lld-19} -r -o "$work/runtime.o" "$@"
"$objcopy" --rename-section .text=bout_runtime \
    --keep-global-symbols="$here/symbols.txt" \
    --remove-section=.comment --remove-section=.llvm_addrsig \
    "$work/runtime.o"
mkdir -p "$(dirname "$out")"
mv "$work/runtime.o" "$out"
