#!/usr/bin/env bash
# Every program of programs/cpp, as test_windows_c.sh does for C.
cd "$(dirname "$0")/../../.." && . tests/tap.sh && . tests/programs/folder.sh
export TARGETS='x86_64 windows'
programs cpp 50
tap_done
