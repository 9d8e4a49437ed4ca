#!/usr/bin/env bash
# Every program of programs/c as Windows code: output, exit code, the count of
# every turn and the profile are those of the same build on this machine.
cd "$(dirname "$0")/../../.." && . tests/tap.sh && . tests/programs/folder.sh
export TARGETS='x86_64 windows'
programs c 25
tap_done
