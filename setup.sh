#!/usr/bin/env bash
# Installs the Debian 12 packages that bout is built from and tested with.
#   ./setup.sh           what `make run` needs
#   ./setup.sh test      also what `make test` needs
#   ./setup.sh bench     that, and whom `make bench` measures beside bout
#   ./setup.sh windows   what `make test-windows` needs
#   ./setup.sh soak      that of the tests, and what `make soak` needs
# Does nothing, and needs neither root nor a network, when all are there.
set -eu
build="gcc make pkg-config libc6-dev clang-19 lld-19 llvm-19-dev
 libmicrohttpd-dev libcurl4-openssl-dev libsqlite3-dev libseccomp-dev libarchive-dev libjansson-dev
 libzstd-dev libsodium-dev libprotobuf-c-dev protobuf-c-compiler
 zlib1g-dev libgit2-dev libyaml-dev ca-certificates curl dpkg-dev xz-utils jq"
tests="libcmocka-dev strace qemu-user clang-format clang-tidy cppcheck
libclang-rt-19-dev llvm-19 csmith libcsmith-dev gdb zip zstd procps valgrind
golang-go tcl lcov chromium python3 python3-jsonschema python3-yaml git"
peers="bubblewrap wasi-libc libclang-rt-19-dev-wasm32 wrk nginx-light"
# npm comes with nodejs where that is not Debian's.
command -v npm >/dev/null || tests="$tests nodejs npm"
# The kernel's headers of the other architecture that bots are built for.
case $(uname -m) in
aarch64) build="$build linux-libc-dev-amd64-cross" ;;
*) build="$build linux-libc-dev-arm64-cross" ;;
esac
# A guest with another kernel (tests/guest/run).
[ "$(uname -m)" != x86_64 ] || tests="$tests qemu-system-x86 busybox-static"
windows="llvm-19 wine64"
want=$build
case ${1:-} in
test) want="$build $tests" ;;
bench) want="$build $tests $peers" ;;
windows) want="$build $windows" ;;
soak) want="$build $tests debootstrap" ;;
esac

missing=
for package in $want; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null |
        grep -q '^install ok installed$' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "setup.sh: as root, install:$missing" >&2
        exit 1
    }
    as_root=sudo
fi
echo "setup.sh: installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing
