#!/usr/bin/env bash
# The build's hash: what a contestant may change without changing the program,
# and what is another program (contract 2.0, 2.3).
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/meter/meter.sh

hash_of() { # FOLDER: of FOLDER/bot.c, compiled with the flags that follow
    local folder=$1
    shift
    compile "$folder/bot.c" "$folder/in.bc" "$@" &&
        charge "$folder" "$folder/in.bc" >/dev/null && cat "$folder/module.hash"
}

mkdir -p "$scratch/plain" "$scratch/else where" "$scratch/other"
cat >"$scratch/plain/bot.c" <<'C'
#include <stdio.h>
struct point { int x, y; };
static struct point corner[4];
static int weight(const struct point *p, int n) { return p[n].x * p[n].y; }
int main(void)
{
    int (*volatile call)(const struct point *, int) = weight;
    for (int n = 0; n < 4; n++)
        corner[n] = (struct point){n, n + 1};
    printf("%% %d \"%s\"\n", call(corner, 3), "text");
    return 0;
}
C
# Other names for everything, other comments and lines.
cat >"$scratch/else where/bot.c" <<'C'
/* A comment; a "quote". */
#include <stdio.h>

struct spot {
    int left, up;
};
static struct spot edges[4];

static int load(const struct spot *s, int index)
{
    return s[index].left * s[index].up; /* the same */
}

int main(void)
{
    int (*volatile function)(const struct spot *, int) = load;

    for (int counter = 0; counter < 4; counter++)
        edges[counter] = (struct spot){counter, counter + 1};
    printf("%% %d \"%s\"\n", function(edges, 3), "text");
    return 0;
}
C
sed 's/n + 1/n + 2/' "$scratch/plain/bot.c" >"$scratch/other/bot.c"

plain=$(hash_of "$scratch/plain")
like "a hash is 64 hex digits" '^[0-9a-f]{64}$' "$plain"
is "names, comments and the folder do not matter" "$plain" \
    "$(hash_of "$scratch/else where")"
is "nor does full debug info" "$plain" "$(hash_of "$scratch/plain" -g)"
is "nor its absence" "$plain" "$(hash_of "$scratch/plain" -g0)"
other=$(hash_of "$scratch/other")
ok "another constant is another build" [ "$plain" != "$other" ]
sed 's/"text"/"tex"/' "$scratch/plain/bot.c" >"$scratch/other/bot.c"
ok "another string is another build" [ "$plain" != "$(hash_of "$scratch/other")" ]
sed 's/printf/(void)!printf/; s/return 0;/return 1;/' \
    "$scratch/plain/bot.c" >"$scratch/other/bot.c"
ok "another exit code is another build" \
    [ "$plain" != "$(hash_of "$scratch/other")" ]

# Charges do not depend on debug info either.
blocks() { jq -c '[.functions[].blocks[].charge]' "$1/blocks.json"; }
hash_of "$scratch/plain" -g0 >/dev/null
without=$(blocks "$scratch/plain")
hash_of "$scratch/plain" -g >/dev/null
is "charges are equal with and without debug info" "$without" \
    "$(blocks "$scratch/plain")"
tap_done
