#!/usr/bin/env bash
# The games at length: 10,000 random games of each referee, and the samples'
# order over three seeds of 500 matches.
cd "$(dirname "$0")/../.." || exit 2
export BOUT_GAMES_RANDOM=10000 GAMES_MATCHES=500 GAMES_SEEDS="1 100001 200001"
TEST_SECONDS=3600 tests/run 'test_(connect4|planetwars|skirmish|tron)$' &&
    TEST_SECONDS=36000 tests/run 'games/test_games'
