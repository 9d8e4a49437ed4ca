#!/usr/bin/env bash
# Every program of cpp/, as test_programs_whole.sh does for C.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/programs/folder.sh
export TARGETS=x86_64 WHOLE=plain
programs cpp 50
tap_done
