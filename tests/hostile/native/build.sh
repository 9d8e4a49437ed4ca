#!/bin/sh
# Builds every raw bot of this folder: build.sh OUT_FOLDER. An executable per
# .c file, made like a real bot's (same runtime, same addresses).
set -eu

out=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
mkdir -p "$out"
"$root/instrument/bot/build.sh" "$out/runtime.o"
for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    "${CLANG:-clang-19}" --target=x86_64-linux-gnu -std=gnu17 -O1 \
        -ffreestanding -fno-builtin -fno-pic -fno-pie -mcmodel=small \
        -fno-stack-protector -fcf-protection=none -mno-red-zone \
        -fno-asynchronous-unwind-tables -Wall -Wextra -I"$root" \
        -c "$source" -o "$out/$name.o"
    "${LD:-ld.lld-19}" -static -nostdlib -e __bout_start -z noexecstack \
        -T "$here/link.ld" -o "$out/$name" "$out/$name.o" "$out/runtime.o"
    rm "$out/$name.o"
done
