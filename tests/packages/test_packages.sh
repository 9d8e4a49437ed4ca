#!/usr/bin/env bash
# Programs that nobody here wrote (sources.list), laid out by lay.sh: output, exit
# code, count and profile as tests/programs/run compares them, on both targets.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/packages/packages.sh
packages zlib bzip2 lua json phalanx
tap_done
