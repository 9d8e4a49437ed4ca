#!/usr/bin/env bash
# Every program of c/, each for one feature: output, exit code, count and profile,
# on both targets (tests/programs/run says what is compared).
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/programs/folder.sh
programs c 25

# What must fail does: a program whose output is not the native one.
mkdir "$scratch/liar"
echo 'int puts(const char *); int main(void) {
#ifdef BOUT
    puts("bout");
#else
    puts("native");
#endif
}' >"$scratch/liar/liar.c"
is "a difference is a failure" "liar FAIL output differs: < native" \
    "$(tests/programs/run "$scratch/liar")"
tap_done
