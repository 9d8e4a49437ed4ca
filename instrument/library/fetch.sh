#!/bin/bash
# fetch: puts a source archive into the download cache and prints its path.
#
#     instrument/library/fetch.sh musl | llvm
#     instrument/library/fetch.sh PACKAGE ARCHIVE SHA256
#
# The archive is the upstream part ("orig") of Debian 12's source package,
# fetched by apt from a private configuration: the machine's own source lists
# are left as they are and need no deb-src line. It is checked against the pinned
# SHA-256 each time; once it is in the cache no network is needed.
#
# BOUT_CACHE    cache folder, default ${XDG_CACHE_HOME:-~/.cache}/bout
# BOUT_DEBIAN   the archive to ask, default http://deb.debian.org/debian
#
# Exit codes: 0 done, 3 the machine failed (no network, wrong bytes).
set -euo pipefail

case $#:${1:-} in
1:musl)
    package=musl
    archive=musl_1.2.3.orig.tar.gz
    sha256=7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4
    ;;
1:llvm) # for libc++, libc++abi and the builtins
    package=llvm-toolchain-19
    archive=llvm-toolchain-19_19.1.7.orig.tar.xz
    sha256=ae498f3bc58ae2d9f64ef5f0c035c4240152bf015a5b7738b15c22e93bdc97ce
    ;;
3:*)
    package=$1 archive=$2 sha256=$3
    ;;
*)
    echo "usage: fetch.sh musl | llvm | PACKAGE ARCHIVE SHA256" >&2
    exit 2
    ;;
esac

cache=${BOUT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bout}
downloads=$cache/downloads
debian=${BOUT_DEBIAN:-http://deb.debian.org/debian}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

fail()
{
    printf 'fetch: %s\n' "$@" >&2
    exit 3
}

# Whether file $1 holds the pinned bytes.
is_pinned()
{
    [ -f "$1" ] && [ "$(sha256sum <"$1")" = "$sha256  -" ]
}

# Downloads the package's source files into folder $1.
download()
{
    mkdir -p "$1"/{state/lists/partial,cache/archives/partial,parts,files}
    cat >"$1/sources.list" <<END
deb-src [signed-by=$keyring] $debian bookworm main
END
    cat >"$1/apt.conf" <<END
Dir::State "$1/state";
Dir::State::status "/var/lib/dpkg/status";
Dir::Cache "$1/cache";
Dir::Etc::sourcelist "$1/sources.list";
Dir::Etc::sourceparts "$1/parts";
APT::Sandbox::User "root";
Acquire::Retries "3";
Acquire::http::Timeout "30";
END
    (cd "$1/files" && export APT_CONFIG=$1/apt.conf &&
        timeout 300 apt-get -q update &&
        timeout 900 apt-get -q source --download-only "$package")
}

if ! is_pinned "$downloads/$archive"; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    echo "fetch: $archive from $debian" >&2
    download "$scratch" >"$scratch/log" 2>&1 || {
        tail -n 5 "$scratch/log" >&2
        fail "cannot get the source package $package from $debian" \
            "reach that archive once, name another with BOUT_DEBIAN=URL," \
            "or put $archive into $downloads by hand"
    }
    is_pinned "$scratch/files/$archive" ||
        fail "$archive from $debian is not the file that we know" \
            "wanted SHA-256 $sha256"
    mkdir -p "$downloads"
    cp "$scratch/files/$archive" "$downloads/.$archive.$$"
    mv "$downloads/.$archive.$$" "$downloads/$archive"
fi
printf '%s\n' "$downloads/$archive"
