#!/usr/bin/env bash
# Every program of c/ and cpp/, each for one feature: output, exit code, count
# and profile (tests/programs/run says what is compared).
cd "$(dirname "$0")/../.." && . tests/tap.sh

for folder in tests/programs/c tests/programs/cpp; do
    while read -r name verdict; do
        [ "$verdict" = ok ]
        tap_report $? "$(basename "$folder")/$name does what it does natively" \
            "$verdict"
    done < <(timeout 280 tests/programs/run "$folder" 2>&1)
done
[ "$tap_count" -ge 60 ]
tap_report $? "there are 60 programs at least"

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
