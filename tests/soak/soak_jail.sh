#!/usr/bin/env bash
# The jail's long form: every hostile bot 60 times (root, ordinary user, without
# namespaces), then SOAK_MATCHES matches in a row in one process, which must end
# as small as it began. Other kernels, control groups: soak_guest.sh.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export HOSTILE_REPEATS=${HOSTILE_REPEATS:-60}
ok "hostile bots, $HOSTILE_REPEATS times" \
    env TEST_SECONDS=7200 tests/run 'unit/|test_hostile|test_box|test_user'

"${CC:-gcc}" -std=gnu17 -D_GNU_SOURCE -O2 -I. -o "$scratch/matches" \
    tests/soak/matches.c "$BUILD/libbout.a" -lseccomp -larchive -lsodium \
    -ljansson -lzstd -lpthread -lm
mkdir "$scratch/games"
cp -r tests/bench/games/hundred runner/games/referee.c "$scratch/games"
cp runner/game.h "$scratch"
export BOUT_GAMES=$scratch/games BOUT_LIBRARY=$BUILD/library
export BOUT_METER=$BUILD/bout-meter
"$scratch/matches" "${SOAK_MATCHES:-10000}" >"$scratch/said" 2>&1
tap_report $? "${SOAK_MATCHES:-10000} matches: memory, descriptors, children flat" \
    "$(tail -3 "$scratch/said")"
sed 's/^/# /' "$scratch/said"
tap_done
