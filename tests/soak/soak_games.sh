#!/usr/bin/env bash
# The referees at length: 10,000 random games of each, hostile replies among them.
cd "$(dirname "$0")/../.." || exit 2
export BOUT_GAMES_RANDOM=10000
TEST_SECONDS=3600 tests/run 'test_(connect4|planetwars|skirmish|tron)$'
