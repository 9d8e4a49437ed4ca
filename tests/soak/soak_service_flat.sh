#!/usr/bin/env bash
# Memory and descriptors of a service under mixed load, SECONDS long (20 minutes):
# flat in the server, its workers and their zygotes.
#   tests/soak/soak_service_flat.sh [SECONDS]
cd "$(dirname "$0")/../.." || exit 2
bout=$(cd "${BUILD:-build}" && pwd)/bout
seconds=${1:-${SECONDS_FLAT:-1200}}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
timeout -k 5 $((seconds + 600)) python3 -B tests/soak/flat.py "$bout" "$folder/data" \
    runner/games "$seconds" 2>"$folder/said"
status=$?
[ $status -eq 0 ] || sed 's/^/# /' "$folder/said" <(tail -20 "$folder/data.log")
exit $status
