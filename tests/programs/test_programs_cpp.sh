#!/usr/bin/env bash
# Every program of cpp/, each for one feature, as test_programs.sh does for C.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/programs/folder.sh
programs cpp 50
tap_done
