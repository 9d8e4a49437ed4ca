#!/usr/bin/env bash
# Archives as uploads: taken, unpacked in a box of their own, shown as files;
# what is odd about one is a rejected version with a reason, never a failure.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

serve_start --ladder-rate 0 --workers 1
new_user ann
mkdir -p "$scratch/my/bot" "$scratch/my/__MACOSX/bot"
cp runner/games/tron/sample_wall.c "$scratch/my/bot/main.c"
echo '/* empty */' >"$scratch/my/bot/extra.h"
echo junk >"$scratch/my/__MACOSX/bot/._main.c"
(cd "$scratch/my" && zip -qr ../bot.zip . && tar czf ../bot.tar.gz . &&
    tar cf - . | zstd -q -o ../bot.tar.zst)

for kind in zip tar.gz tar.zst; do
    enter_bot "by-${kind//./-}" tron "$scratch/bot.$kind"
    is "a .$kind is ready" ready "$(get .status)"
    api GET "/v1/bots/$bot/source"
    is "a .$kind shows its files" 'extra.h main.c' "$(get '[.items[].path] | join(" ")')"
done
good=$bot
api GET "/v1/bots/$bot/source?path=main.c"
ok "a file is what was packed" cmp "$scratch/body" "$scratch/my/bot/main.c"
play_match tron "$bot,$bot"
is "it plays" finished "$(get .status)"
api GET "/v1/matches/$match/profile?slot=0&turn=1&format=text&wait=30"
like "its profile names the file" 'main.c' "$body"

rejected() { # TEXT FILE PATTERN
    enter_bot odd tron "$2"
    is "$1 is rejected" rejected "$(get .status)"
    like "$1: the diagnostic says why" "$3" "$(get '[.diagnostics[].message]|join("; ")')"
}
ln -s /etc/passwd "$scratch/my/bot/link.c"
(cd "$scratch/my" && zip -qry ../link.zip .)
rejected "a link" "$scratch/link.zip" 'symbolic link'
(cd "$scratch/my/bot" && tar cPzf ../../up.tar.gz ../../my/bot/main.c)
rejected "a way out" "$scratch/up.tar.gz" 'must be relative'
echo nonsense >"$scratch/none.zip"
rejected "no archive" "$scratch/none.zip" 'no zip or tar'
head -c 20000000 /dev/zero | gzip >"$scratch/zeros.tar.gz"
rejected "zeros" "$scratch/zeros.tar.gz" 'no files|no zip or tar'
mkdir "$scratch/bomb" && head -c 20000000 /dev/zero >"$scratch/bomb/b.c"
(cd "$scratch/bomb" && zip -q ../bomb.zip b.c)
rejected "a bomb" "$scratch/bomb.zip" '8 MiB.*unpacked'
(cd "$scratch" && zip -q nest.zip bot.zip)
rejected "an archive in an archive" "$scratch/nest.zip" 'inside the archive'
(cd "$scratch/my" && zip -qr ../empty.zip __MACOSX)
rejected "nothing but leftovers" "$scratch/empty.zip" 'holds no files'

# A log that keeps only hashes of its later views: the match is played again.
play_match tron "$good,$good" '"limits":{"match_log_bytes":5000},"seed":8'
last=$(get .turns)
api GET "/v1/matches/$match/turns?limit=5000"
counted=$(get "[.items[]|select(.slot==1 and .turn==$last).instructions]|add")
api GET "/v1/matches/$match/profile?slot=1&turn=$last&format=csv&wait=30"
is "the profile of a turn whose view was cut is there" 200 "$status"
is "and adds up to the stored count ($counted)" "$counted" \
    "$(awk -F, 'NR > 1 { sum += $NF } END { print sum }' "$scratch/body")"

# In connect4 slot 0 moves in odd turns only.
enter_bot four connect4 runner/games/connect4/sample_random.c
play_match connect4 "$bot,$bot"
api GET "/v1/matches/$match/profile?slot=0&turn=2&wait=20"
is "the profile of a turn that a slot did not play" 404 "$status"
like "says where its turns are" 'slot 0 was not asked in turn 2: its turns are among 0 to' \
    "$(get .detail)"
api GET "/v1/matches/$match/profile?slot=0&turn=3&wait=20"
is "the next one has one" 200 "$status"

head -c 9000000 /dev/urandom >"$scratch/big.zip"
api POST /v1/bots -F name=big -F game=tron -F "source=@$scratch/big.zip"
is "9 MB of archive are too large" 413 "$status"
api POST /v1/bots -F name=two -F game=tron -F "source=@$scratch/bot.zip" \
    -F "source=@$scratch/my/bot/main.c"
is "an archive and a file are no submission" 422 "$status"
api GET '/v1/bots?name=odd'
is "a retry was never needed" 0 "$(grep -c '"attempt":[2-9]' "$scratch/serve.err")"
serve_done
tap_done
