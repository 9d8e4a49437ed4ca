#!/bin/bash
# build: makes the metered C library's folder, or copies it from the cache.
#
#     instrument/library/build.sh OUT_DIR BOUT_METER [PLACEMENT]
#
# PLACEMENT is one of instrument/placement.def; bots that are linked with the
# folder are charged in the same way.
#
# OUT_DIR gets lib.bc, lib.lazy.bc, lib.skeleton.bc, manifest.json, blocks.json,
# lib.TARGET.o (all by `bout-meter library`), runtime.TARGET.o, include/ and
# key. Two stages, each kept under a key that hashes all that it is made from:
#
#     library/bitcode-KEY   musl, libc++ and ours, compiled   1 min on 2 cores
#     library/folder-KEY    the folder itself
#
# in ${BOUT_CACHE:-${XDG_CACHE_HOME:-~/.cache}/bout}. The last few are kept.
# With equal inputs OUT_DIR is left alone. Any exit code but 0 is a failure of
# ours.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "$0")/../.." && pwd)
here=instrument/library
mkdir -p "$1"
out=$(cd "$1" && pwd)
meter=$(realpath "$2")
placement=${3:-chords}
cache=${BOUT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bout}/library
clang=${CLANG:-clang-19}
KEEP=4 # of each stage

say()
{
    printf 'library: %s\n' "$*" >&2
}

# One hash over standard input (versions, flags) and all other files below the
# arguments.
key_of()
{
    { cat && find "$@" -type f ! -name flags.def -print0 | sort -z |
        xargs -0 sha256sum; } | sha256sum | cut -c 1-32
}

# A stage is made aside, so that it is whole once it has its name.
finish()
{
    rm -rf "$2"
    mv "$1" "$2"
}

prune()
{
    find "$cache" -mindepth 1 -maxdepth 1 -type d -name "$1" \
        -printf '%T@ %p\n' |
        sort -rn | tail -n "+$((KEEP + 1))" | cut -d ' ' -f 2- |
        xargs -r -d '\n' rm -rf
}

make_bitcode()
{
    local aside=$cache/.aside.$$ archive

    say "compiling musl for the virtual machine"
    archive=$("$here/fetch.sh" musl)
    rm -rf "$aside"
    mkdir -p "$aside"
    "$here/lay.sh" "$archive" "$aside/tree"
    "$here/compile.sh" "$aside/tree" "$aside/bitcode"
    "$here/headers.sh" "$aside/tree" "$aside/include"
    rm -rf "$aside/tree"
    say "compiling libc++ for the virtual machine"
    archive=$("$here/fetch.sh" llvm)
    "$here/cxx.sh" "$archive" "$aside/include" "$aside/bitcode/cxx"
    say "precompiling headers"
    "$here/precompile.sh" "$aside/include"
    finish "$aside" "$bitcode"
}

make_library()
{
    local aside=$cache/.aside.$$ units

    say "metering it"
    rm -rf "$aside"
    mkdir -p "$aside"
    mapfile -t units < <(find "$bitcode/bitcode" -name '*.bc' | sort)
    "$meter" library --out "$aside" --target x86_64 --target aarch64 \
        --placement "$placement" "${units[@]}"
    for target in x86_64 aarch64; do
        instrument/bot/build.sh "$aside/runtime.$target.o" "$target"
    done
    cp -r "$bitcode/include" "$aside/include"
    echo "$key" >"$aside/key"
    finish "$aside" "$library"
}

cd "$root"
versions=$("$clang" --version | head -n 1)
# The flags of bots in C alone are not among what the library is made from.
bitcode_key=$({ echo "$versions" && grep -v '^FLAG(BOT_C,' "$here/flags.def"; } |
    key_of "$here" instrument/cost.def instrument/bot/page.h \
        instrument/bot/runtime.h profiler/{profile.h,record.h,record.def})
key=$(printf '%s\n' "$versions" "$(ld.lld-19 --version)" \
    "$bitcode_key" "$placement" |
    key_of instrument/meter instrument/bot instrument/*.def runner/base)
[ "$key" != "$(cat "$out/key" 2>/dev/null)" ] || exit 0

bitcode=$cache/bitcode-$bitcode_key
library=$cache/folder-$key
mkdir -p "$cache"
trap 'rm -rf "$cache/.aside.$$"' EXIT
if [ ! -d "$library" ]; then # whoever has it need not wait for another's
    exec 9>"$cache/lock"
    flock 9
fi
if [ ! -d "$library" ]; then
    if [ ! -d "$bitcode" ]; then
        make_bitcode
    fi
    make_library
fi
touch -c "$bitcode" "$library"
prune 'bitcode-*'
prune 'folder-*'

rm -rf "$out.aside"
cp -r "$library" "$out.aside"
rm -rf "$out"
mv "$out.aside" "$out"
