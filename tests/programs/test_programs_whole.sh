#!/usr/bin/env bash
# Every program of c/ once more, with the library's code generated anew beside the
# program's and neither optimised: equal to the precompiled library's in output,
# verdict, build and the counts of every turn (WHOLE in tests/programs/run;
# WHOLE=1 there optimises it and takes three times as long).
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/programs/folder.sh
export TARGETS=x86_64 WHOLE=plain
programs c 25
tap_done
