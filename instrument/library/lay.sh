#!/bin/bash
# lay: lays out the sources of the metered C library in an empty folder.
#
#     instrument/library/lay.sh ARCHIVE TREE
#
# ARCHIVE is musl's (fetch.sh). TREE becomes musl's tree with an architecture
# `bout` beside its own: derived here from arch/powerpc64, with the files of
# arch/ in place of what knows a processor or kernel. The library's own sources
# and the headers that they need keep their paths under instrument/.
# TREE/units lists what is to be compiled, a path a line in byte order.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
archive=$1
tree=$2

fail()
{
    printf 'lay: %s\n' "$*" >&2
    exit 3
}

# Applies sed script $2 to the tree's file $1; it must change something.
edit()
{
    cp "$tree/$1" "$tree/.before"
    sed -i "$2" "$tree/$1"
    ! cmp -s "$tree/.before" "$tree/$1" || fail "$1: an edit no longer applies"
    rm "$tree/.before"
}

lay_arch()
{
    local arch=$tree/arch/bout

    cp -r "$tree/arch/powerpc64" "$arch"
    rm "$arch"/{crt_arch.h,kstat.h} "$arch"/bits/{hwcap,ptrace,reg,user}.h
    cp "$here"/arch/*.h "$arch/"
    cp "$here"/arch/bits/*.h "$arch/bits/"
    cp "$tree/arch/powerpc64/kstat.h" "$arch/kstat.h"
    mv "$arch/lock.h" "$tree/src/internal/lock.h"
    sed -f "$tree/tools/mkalltypes.sed" "$arch/bits/alltypes.h.in" \
        "$tree/include/alltypes.h.in" >"$arch/bits/alltypes.h"
    cp "$arch/bits/syscall.h.in" "$arch/bits/syscall.h"
    sed -n 's/__NR_/SYS_/p' "$arch/bits/syscall.h.in" >>"$arch/bits/syscall.h"
    rm "$arch"/bits/*.in
    printf '#define VERSION "%s"\n' "$(cat "$tree/VERSION")" \
        >"$tree/src/internal/version.h"
}

# What an own file cannot replace without holding musl's text.
lay_edits()
{
    # one thread: no stream is ever locked
    edit src/internal/stdio_impl.h '/^#define F[A-Z]*LOCK(f)/d
/^#define UNGET/a\
#define FFINALLOCK(f) ((void)(f))\
#define FLOCK(f) ((void)(f))\
#define FUNLOCK(f) ((void)(f))'
    edit src/stdio/getc.h 's/^	int l = f->lock;$/	int l = -1;/'
    edit src/stdio/putc.h 's/^	int l = f->lock;$/	int l = -1;/'
    # a NaN has no sign in print: processors differ in the one they make
    edit src/stdio/vfprintf.c \
        's/^	if (signbit(y)) {$/	if (y == y \&\& signbit(y)) {/'
    # src/print.c and src/scan.c leave to musl's what is rare
    edit src/stdio/vfprintf.c 's/^int vfprintf(/int __musl_vfprintf(/'
    edit src/stdio/vsnprintf.c 's/vsnprintf(/__musl_&/
s/return vfprintf(/return __musl_vfprintf(/'
    edit src/stdio/vfscanf.c '/^weak_alias/d
s/^int vfscanf(/int __musl_vfscanf(/'
    edit src/stdio/vsscanf.c '/^weak_alias/d
s/vfscanf(/__musl_&/
s/^int vsscanf(/int __musl_vsscanf(/'
    local file
    for file in vsnprintf vsscanf; do
        edit "src/stdio/$file.c" '1i\
#include "instrument/library/src/musl.h"'
    done
    edit src/string/explicit_bzero.c '/__asm__/d'
    # one rounding mode and no flags: no constrained intrinsics for either
    for file in $(cd "$tree" && grep -rl 'STDC FENV_ACCESS ON' src/math); do
        edit "$file" '/#pragma STDC FENV_ACCESS ON/d'
    done
}

# Expands sources.list: the last line that names a file decides.
lay_units()
{
    declare -A unit
    local sign glob file

    cd "$tree"
    while read -r sign glob; do
        case $sign in
        + | -) ;;
        *) continue ;;
        esac
        for file in $glob; do
            [ -f "$file" ] || fail "sources.list: $glob names no file"
            unit[$file]=$sign
        done
    done <"$here/sources.list"
    for file in "${!unit[@]}" instrument/library/src/*.c; do
        [ "${unit[$file]-+}" = - ] || printf '%s\n' "$file"
    done | sort >units
}

mkdir -p "$tree"
tar -C "$tree" --strip-components=1 -xzf "$archive"
lay_arch
lay_edits
mkdir -p "$tree"/instrument/{bot,library/src}
cp "$here"/src/*.[ch] "$tree/instrument/library/src/"
cp "$here"/../bot/{page,runtime}.h "$tree/instrument/bot/"
cp "$here/../cost.def" "$tree/instrument/"
mkdir "$tree/profiler"
cp "$here"/../../profiler/{profile.h,record.h,record.def} "$tree/profiler/"
lay_units
