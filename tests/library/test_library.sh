#!/usr/bin/env bash
# The metered C library under the real runtime, and the scripts that make it.
cd "$(dirname "$0")/../.." && . tests/tap.sh

count() { # PROGRAM OPTION...: the document
    timeout 60 "$bout" count "$@" --json 2>/dev/null
}

document=$(count tests/library/calls.c --input tests/library/calls.in)
is "a program of many library calls prints what it should" \
    "$(cat tests/library/calls.expected)" "$(jq -r .stdout <<<"$document")"
is "its exit code is its own" 3 "$(jq .exit_code <<<"$document")"
like "what it opened is explained in its log" 'arrays or #embed' \
    "$(jq -r .stderr <<<"$document")"
is "a second run gives the same count" "$(jq .instructions <<<"$document")" \
    "$(count tests/library/calls.c --input tests/library/calls.in |
        jq .instructions)"

cat >"$scratch/assert.c" <<'C'
#include <assert.h>
int main(int count, char **argument)
{
    (void)argument;
    assert(count == 2);
    return 0;
}
C
document=$(count "$scratch/assert.c")
is "a failed assertion is a crash" crash "$(jq -r .verdict <<<"$document")"
like "and says where" 'count == 2 \(assert\.c: main: 5\)' \
    "$(jq -r .stderr <<<"$document")"

# Prices: twice the work costs twice as much, by the contract's formula.
cat >"$scratch/strlen.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[1 << 20];
static size_t (*volatile length_of)(const char *) = strlen;
int main(void)
{
    int size = 0;
    scanf("%d", &size);
    memset(text, 'x', 1 << 19);
    text[size] = 0;
    return length_of(text) != (size_t)size;
}
C
for size in 100000 508000; do
    echo "$size" >"$scratch/size"
    count "$scratch/strlen.c" --input "$scratch/size" |
        jq .instructions >"$scratch/$size"
done
# 51,000 words more, and the steps of 100 pieces of 4,096 bytes
more=$(($(cat "$scratch/508000") - $(cat "$scratch/100000")))
ok "strlen costs an instruction for 8 bytes ($more)" \
    test "$more" -ge 51000 -a "$more" -lt 53000

cat >"$scratch/thread.c" <<'C'
#include <pthread.h>
int main(void) { return 0; }
C
like "a header that is not there says what to do" 'one thread' \
    "$(timeout 60 "$bout" build "$scratch/thread.c" -o "$scratch/x.bot" 2>&1)"

# fetch.sh: what is cached needs no network; else it says how to go on.
fetch() { # CACHE
    BOUT_CACHE=$1 BOUT_DEBIAN=http://127.0.0.1:9/debian timeout 60 \
        instrument/library/fetch.sh musl 2>&1
}
real=$(instrument/library/fetch.sh musl)
mkdir -p "$scratch/full/downloads" "$scratch/bad/downloads"
cp "$real" "$scratch/full/downloads/"
head -c 1000 "$real" >"$scratch/bad/downloads/$(basename "$real")"
is "a cached archive needs no network" \
    "$scratch/full/downloads/$(basename "$real")" "$(fetch "$scratch/full")"
like "a damaged one is not used, and what helps is said" \
    'BOUT_DEBIAN=URL' "$(fetch "$scratch/bad")"
fetch "$scratch/bad" >/dev/null
is "that is exit code 3" 3 $?

# build.sh: equal inputs leave the folder alone; a copy is the same.
before=$(stat -c %Z.%i "$BUILD/library/lib.bc")
ok "a second build does nothing" timeout 10 \
    instrument/library/build.sh "$BUILD/library" "$BUILD/bout-meter"
is "and leaves the folder alone" "$before" \
    "$(stat -c %Z.%i "$BUILD/library/lib.bc")"
ok "another folder is filled from the cache" timeout 10 \
    instrument/library/build.sh "$scratch/library" "$BUILD/bout-meter"
ok "with the same bytes" diff -r "$BUILD/library" "$scratch/library"

tap_done
