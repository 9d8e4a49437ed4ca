#!/usr/bin/env bash
# bout build of archives: the same build as from the folder, whatever it came
# in; what is odd is refused with exit code 1 and a reason.
cd "$(dirname "$0")/../.." && . tests/tap.sh

export BOUT_CACHE=$scratch/cache
mkdir -p "$scratch/my/bot/lib" "$scratch/my/bot/.git" "$scratch/my/bot/build"
cat >"$scratch/my/bot/main.c" <<'C'
#include "lib/twice.h"
int main(void) { return twice(2); }
C
echo 'static int twice(int x) { return 2 * x; }' >"$scratch/my/bot/lib/twice.h"
echo 'no C at all' >"$scratch/my/bot/build/main.c"
echo 'no C at all' >"$scratch/my/bot/.git/main.c"

(cd "$scratch/my" && zip -qr ../bot.zip bot && tar czf ../bot.tar.gz bot &&
    tar cf ../bot.tar bot && tar cf - bot | zstd -q -o ../bot.tar.zst &&
    cd bot && tar czf ../../flat.tgz .)

hash() { # SRC...
    timeout 100 "$bout" build "$@" -o "$scratch/out.bot" --json 2>&1 | jq -r .build
}
first=$(hash "$scratch/my/bot")
like "a folder builds, without what git and make left in it" '^[0-9a-f]{64}$' "$first"
for name in bot.zip bot.tar.gz bot.tar bot.tar.zst flat.tgz; do
    is "$name is the same build" "$first" "$(hash "$scratch/$name")"
done
(cd "$scratch" && timeout 100 "$bout" build bot.tar.gz >/dev/null 2>&1)
ok "the build is called as the archive" [ -s "$scratch/bot.bot" ]
like "count takes an archive as well" '^instructions' \
    "$(timeout 100 "$bout" count "$scratch/bot.zip" 2>&1 | tail -1)"

refused() { # TEXT PATTERN SRC...
    said=$(timeout 100 "$bout" build "${@:3}" -o "$scratch/no.bot" 2>&1)
    is "$1: exit code" 1 $?
    like "$1: says why" "$2" "$said"
    ok "$1: writes nothing" [ ! -e "$scratch/no.bot" ]
    like "$1: --json has it as a diagnostic" "^rejected .*($2)" \
        "$(timeout 100 "$bout" build "${@:3}" -o "$scratch/no.bot" --json 2>/dev/null |
            jq -r '.status + " " + .diagnostics[0].message')"
}
ln -s /etc/passwd "$scratch/my/bot/link.c"
(cd "$scratch/my" && zip -qry ../link.zip bot)
refused "a link" 'bot/link.c is a symbolic link' "$scratch/link.zip"
(cd "$scratch/my/bot/lib" && tar cPf ../../../up.tar ../main.c)
refused "a way out" 'must be relative' "$scratch/up.tar"
head -c 200 "$scratch/bot.zip" >"$scratch/cut.zip"
refused "half an archive" 'damaged' "$scratch/cut.zip"
refused "an archive and a file" 'must come alone' "$scratch/bot.zip" "$scratch/my/bot/main.c"
refused "a file and an archive" 'must come alone' "$scratch/my/bot/main.c" "$scratch/bot.zip"
head -c 9000000 /dev/urandom >"$scratch/big.zip"
refused "9 MB" '8388608' "$scratch/big.zip"
tap_done
