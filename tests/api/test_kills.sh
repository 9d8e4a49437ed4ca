#!/usr/bin/env bash
# The short form of tests/soak/soak_service.sh: ten kills.
KILLS=${KILLS:-10} KILLS_SECONDS=500 exec "$(dirname "$0")/../soak/soak_service.sh"
