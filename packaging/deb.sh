#!/usr/bin/env bash
# Makes the Debian package of the kit: the programs, the metered library, the
# games with their samples, the documentation. `make deb` builds first.
#   packaging/deb.sh BUILD    BUILD/bout_VERSION_ARCH.deb, named on stdout
# What it depends on is what the programs are linked with, and the compiler that
# the metered library was made by; equal sources give equal bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(cd "$1" && pwd)
stage=$build/deb
arch=$(dpkg --print-architecture)
# The day and commit of the tree; a tree without history is of day 0.
epoch=$(git log -1 --format=%ct 2>/dev/null || echo 0)
version=$(sed -n 's/^#define CLI_VERSION "\(.*\)"/\1/p' api/cli/cli.h)+$(date -u -d "@$epoch" +%Y%m%d).$(git rev-parse --short=9 HEAD 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH=$epoch

rm -rf "$stage" && mkdir -p "$stage/debian" "$stage/root/DEBIAN"
make --no-print-directory install DESTDIR="$stage/root" PREFIX=/usr BUILD="$build" >/dev/null
doc=$stage/root/usr/share/doc/bout
install -d "$doc"
install -m 644 README.md "$doc"
install -m 644 LICENSE "$doc/copyright"
cp -r docs "$doc"

# dpkg-shlibdeps wants to stand beside a debian/control.
printf 'Source: bout\n\nPackage: bout\nArchitecture: any\n' >"$stage/debian/control"
linked=$(cd "$stage" && dpkg-shlibdeps --ignore-missing-info -O \
    root/usr/lib/bout/bout root/usr/lib/bout/bout-meter root/usr/lib/bout/bout-unpack 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p')
[ -n "$linked" ] || { echo "deb.sh: dpkg-shlibdeps found nothing" >&2; exit 1; }
cat >"$stage/root/DEBIAN/control" <<CONTROL
Package: bout
Version: $version
Architecture: $arch
Maintainer: The bout maintainers <bout@localhost>
Installed-Size: $(du -sk "$stage/root/usr" | cut -f1)
Depends: clang-19, lld-19, $linked
Recommends: gdb
Section: games
Priority: optional
Description: match runner for AI competitions, with instruction budgets
 Bots in C and C++ are compiled so that every instruction is charged, run in a
 jail with an exact budget a turn, and play each other. This is the contestant's
 kit, which has the server's own numbers, and the service too.
CONTROL

chmod -R u=rwX,go=rX "$stage/root"
find "$stage/root" -exec touch -hd "@$epoch" {} +
out=$build/bout_${version}_$arch.deb
dpkg-deb --root-owner-group -Zxz -z1 --build "$stage/root" "$out" >/dev/null
rm -rf "$stage"
echo "$out"
