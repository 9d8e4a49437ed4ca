#!/usr/bin/env bash
# Programs that nobody here wrote (packages/test_packages.sh), as Windows code.
cd "$(dirname "$0")/../../.." && . tests/tap.sh && . tests/packages/packages.sh
export TARGETS='x86_64 windows'
packages zlib bzip2 lua json phalanx duktape sqlite
tap_done
