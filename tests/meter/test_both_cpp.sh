#!/usr/bin/env bash
# The programs in C++ as test_both.sh has those in C.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/programs/folder.sh

ok "the library is charged in both ways" \
    instrument/library/build.sh "$BUILD/library-both" "$BUILD/bout-meter" both
export BOUT_LIBRARY=$BUILD/library-both BOUT_CACHE=$scratch/cache TARGETS=x86_64
programs cpp 50
tap_done
