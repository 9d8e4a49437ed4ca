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

# printf and scanf of ours against musl's, which they replace.
is "random formats print and read what they do with musl" \
    "30000 formats, 0 differ" "$(count tests/library/formats.c |
        jq -r '.stdout, .verdict' | sed '/^ok$/d;/^$/d')"

# The machine is no processor's: nothing that clang defines for a PowerPC alone.
macros_of() # TARGET LANGUAGE
{
    clang-19 "--target=$1-linux-musl" -dM -E -x "$2" /dev/null |
        sed 's/^#define \([A-Za-z0-9_]*\).*/\1/' | sort
}
for language in c c++; do
    asks=$scratch/machine.${language/c++/cpp}
    {
        [ "$language" = c ] || echo '#include <bits/stdc++.h>'
        comm -23 <(macros_of powerpc64le "$language") \
            <(macros_of x86_64 "$language") |
            sed 's/.*/#ifdef &\n#error &\n#endif/'
        cat <<'C'
#if !defined __LITTLE_ENDIAN__ || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error byte order
#endif
#if defined __BIG_ENDIAN__ || defined __x86_64__ || defined __aarch64__
#error another machine
#endif
int main(void) { return 0; }
C
    } >"$asks"
    ok "a PowerPC has many macros of its own in $language" \
        test "$(grep -c '^#ifdef' "$asks")" -gt 150
    is "and a program sees none of them" "" \
        "$(timeout 100 "$bout" build "$asks" -o "$scratch/x.bot" 2>&1 \
            >/dev/null | head -n 5)"
done

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
