#!/usr/bin/env bash
# The games at length: 10,000 random games of each referee, hostile replies among
# them, and the whole proof of connect4's perfect sample.
cd "$(dirname "$0")/../.." || exit 2
failed=0
BOUT_GAMES_RANDOM=10000 TEST_SECONDS=3600 tests/run 'test_(connect4|planetwars|skirmish|tron)$' || failed=1
PERFECT_ALL=1 TEST_SECONDS=3600 tests/run 'games/test_perfect' || failed=1
exit $failed
