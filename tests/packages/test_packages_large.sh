#!/usr/bin/env bash
# As test_packages.sh: programs of a hundred thousand lines, which take longer to
# build than to run.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/packages/packages.sh
packages duktape sqlite
tap_done
