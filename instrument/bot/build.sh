#!/bin/sh
# Compiles the trusted in-bot runtime into one object:
#
#     build.sh OUT_OBJECT [TARGET [SEAL]]
#
# TARGET is x86_64 (as without it) or aarch64. Its code is one section,
# `bout_runtime`, so that the scan of a linked bot knows it; only the names of
# symbols.txt are seen by others. SEAL is for tests alone: a source that stands
# in for seal.c.
set -eu

out=$1
target=${2:-x86_64}
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/instrument/bot
seal=${3:-$here/seal.c}
clang=${CLANG:-clang-19}
objcopy=${OBJCOPY:-llvm-objcopy-19}
work=$(mktemp -d "${TMPDIR:-/tmp}/bout-runtime.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Zeroed registers: no hidden address may be left in one. No red zone is needed
# to be given up: handlers run on a stack of their own.
flags="-std=gnu17 -O2 -ffreestanding -fno-builtin -fno-pic -fno-pie \
-mcmodel=small -fno-stack-protector -fomit-frame-pointer \
-fno-asynchronous-unwind-tables -fno-unwind-tables -fno-ident \
-fzero-call-used-regs=used -fno-strict-aliasing -g0 -Wall -Wextra -Wshadow \
-Wvla -Wconversion -Werror"
case $target in
x86_64) flags="$flags -fcf-protection=none" ;;
aarch64) flags="$flags -mno-outline-atomics -mbranch-protection=none" ;;
*)
    echo "build.sh: no target $target" >&2
    exit 2
    ;;
esac
# The kernel's headers of the other architecture are a package of their own.
[ "$(uname -m)" = "$target" ] ||
    flags="$flags -idirafter /usr/$target-linux-gnu/include"

set --
for source in "$here"/*.c "$here"/*_"$target".S; do
    [ "$source" != "$here/seal.c" ] || source=$seal
    object=$work/$(basename "$source").o
    # shellcheck disable=SC2086
    "$clang" --target="$target-linux-gnu" $flags -I"$root" -c "$source" \
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
