#!/bin/bash
# The jail's rows of `make bench`: one JSON object a line (contract, section 9).
# Beside plain posix_spawn with pipes: bubblewrap where it is installed, and the
# isolate that ISOLATE names.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "${BUILD:-build}")
out=$build/bench
mkdir -p "$out"
tests/hostile/native/build.sh "$build/hostile"
${CC:-gcc} -O2 -static -o "$out/peer" tests/bench/peer.c
# The bot of our matches; a pipe's other end wants each line at once.
${CC:-gcc} -O2 -o "$out/stdio" -include tests/bench/lines.h \
    tests/bench/games/hundred/sample_stdio.c
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 -I. -o "$out/jail" tests/bench/jail.c \
    "$build/libbout.a" -lseccomp -larchive -lsodium -ljansson -lzstd -lpthread -lm
mkdir -p "$out/games"
cp -r tests/bench/games/hundred runner/games/referee.c "$out/games"
cp runner/game.h "$out"
peers=()
bwrap=$(command -v bwrap || true)
[ -z "$bwrap" ] || peers+=("bubblewrap=$bwrap --unshare-all --die-with-parent \
--ro-bind $out/peer /peer /peer")
if [ -n "${ISOLATE:-}" ]; then
    box=$("$ISOLATE" --init)
    cp "$out/peer" "$box/box/peer"
    peers+=("isolate=$ISOLATE --silent --run -- peer")
fi
BOUT_GAMES=$out/games BOUT_LIBRARY=$build/library \
    BOUT_METER=$build/bout-meter timeout 300 "$out/jail" "$build/hostile" \
    "${SECONDS_EACH:-3}" "$out/peer" "$out/stdio" "${peers[@]}"
