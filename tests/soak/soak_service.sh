#!/usr/bin/env bash
# kill -9 of servers, workers, zygotes and bots of one service, KILLS times
# (200) at random from SEED (1), under a mixed load: nothing acknowledged is
# lost, nothing is there twice, ratings are those of their results, nothing is
# left running. tests/api/test_kills.sh is the short form.
cd "$(dirname "$0")/../.." || exit 2
bout=$(cd "${BUILD:-build}" && pwd)/bout
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
timeout -k 5 "${KILLS_SECONDS:-3600}" python3 -B tests/soak/kills.py "$bout" "$folder/data" \
    runner/games "${KILLS:-200}" "${SEED:-1}" 2>"$folder/said"
status=$?
[ $status -eq 0 ] || sed 's/^/# /' "$folder/said" <(tail -20 "$folder/data.log")
exit $status
