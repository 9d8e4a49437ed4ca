#!/usr/bin/env bash
# bout db: a backup of a running service, sealed and open, restored into a new
# folder where the service goes on; damage is found and never restored.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

games=runner/games
serve_start --ladder-rate 600
new_user ann
ann=$token
enter_bot one tron $games/tron/sample_wall.c
enter_bot two tron $games/tron/sample_space.c
play_match tron 1,2 '"seed":5'
sha=$(get .replay_sha256)
first=$match

# db ACTION...: output in $out, errors in $said, the exit code in $code.
db() {
    out=$(timeout 120 "$bout" db "$@" 2>"$scratch/said")
    code=$?
    said=$(cat "$scratch/said")
}

# ---- while it runs ------------------------------------------------------------
head -c 32 /dev/urandom >"$scratch/key"
db backup "$scratch/open.db" --data "$data"
is "a backup of a running service" 0 $code
is "readable by its owner alone" 600 "$(stat -c %a "$scratch/open.db")"
db backup "$scratch/sealed" --data "$data" --key "$scratch/key" --json
is "a sealed one" 'sealed backup' "$(jq -r .done <<<"$out")"
is "of which no plain copy stays" 1 "$(find "$scratch" -name 'sealed*' | wc -l)"
grep -q sample_wall "$scratch/sealed"
is "and in which nothing can be read" 1 $?
db backup "$scratch/open.db" --data "$data"
is "a file that is there is kept" 1 $code
like "and said so" 'is there already' "$said"
db check --data "$data"
is "the running service's database holds together" 0 $code
like "with no fault" ': 0 faults$' "$out"
db restore "$scratch/open.db" --data "$data"
is "no restore over a running service" 3 $code
like "since it is locked" 'another bout serve' "$said"
serve_stop
db restore "$scratch/open.db" --data "$data"
like "nor over a database" 'bout.db is there' "$said"

# ---- restored -----------------------------------------------------------------
for kind in open.db sealed; do
    data=$scratch/again.$kind
    db restore "$scratch/$kind" --data "$data" --key "$scratch/key"
    is "$kind is restored" 0 $code
    is "$kind: nothing else is left there" 'admin.token bout.db lock' \
        "$(ls "$data" | xargs)"
    serve_start --ladder-rate 0
    api GET "/v1/matches/$first"
    is "$kind: a match is as it was" "$sha" "$(get .replay_sha256)"
    token=$ann api GET '/v1/bots?owner=me'
    is "$kind: users and their tokens too" 2 "$(get '.items|length')"
    token=$admin
    api POST /v1/users -H 'Content-Type: application/json' -d '{"name":"new"}'
    is "$kind: the admin has a token" 201 "$status"
    token=$ann
    play_match tron 1,2 '"seed":5'
    is "$kind: the same match is played again" "$sha" "$(get .replay_sha256)"
    serve_stop
done

# ---- an older one --------------------------------------------------------------
old=$scratch/old
mkdir "$old"
python3 - "$old/bout.db" <<'P'
import re, sqlite3, sys
words = {"{ID}": "INTEGER PRIMARY KEY", "{I64}": "INTEGER", "{F64}": "REAL",
         "{BLOB}": "BLOB", "{STRICT}": "STRICT",
         "{STRICT_WITHOUT_ROWID}": "STRICT, WITHOUT ROWID"}
sql = open("db/migrations/001_start.sql").read()
for word, what in words.items():
    sql = sql.replace(word, what)
base = sqlite3.connect(sys.argv[1])
base.executescript(sql + "PRAGMA application_id=1112495444; PRAGMA user_version=1;"
    "INSERT INTO users VALUES (1, 'admin', 1, 0);")
P
db restore "$old/bout.db" --data "$scratch/migrated"
is "a backup of an older version is restored" 0 $code
like "and the admin's new token named" 'migrated/admin.token' "$said"
db check --data "$scratch/migrated"
is "and migrated" 0 $code

# ---- damage -------------------------------------------------------------------
head -c 32 /dev/urandom >"$scratch/other"
db restore "$scratch/sealed" --data "$scratch/no" --key "$scratch/other"
is "another key is refused" 1 $code
db restore "$scratch/sealed" --data "$scratch/no"
like "no key: --key is named" 'sealed: --key' "$said"
head -c 70000 "$scratch/sealed" >"$scratch/cut"
db restore "$scratch/cut" --data "$scratch/no" --key "$scratch/key"
like "a sealed file that was cut is refused" 'changed or cut' "$said"
is "and nothing of it is left" '' "$(ls "$scratch/no" | grep -v '^lock$')"
cp "$scratch/open.db" "$scratch/bad.db"
python3 - "$scratch/bad.db" "$first" <<'P'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.execute("UPDATE matches SET replay_sha256 = replace(replay_sha256, "
             "substr(replay_sha256, 1, 1), 'x') WHERE id = ?", sys.argv[2:])
base.execute("UPDATE results SET instructions = instructions + 1 "
             "WHERE match_id = ? AND slot = 0", sys.argv[2:])
base.execute("DELETE FROM names WHERE id = 2")
base.commit()
P
db check "$scratch/bad.db"
is "damage is found" 1 $code
like "in logs" "match $first: its log has SHA-256" "$out"
like "in counts" "match $first: slot 0 has [0-9]+ instructions and its turns" "$out"
like "in references" 'row 2 of bots names a row of names' "$out"
db restore "$scratch/bad.db" --data "$scratch/no"
like "and never restored" 'nothing was restored' "$said"
dd if=/dev/urandom of="$scratch/bad.db" bs=4096 seek=3 count=2 conv=notrunc 2>/dev/null
db check "$scratch/bad.db"
ok "a damaged file is an answer, no crash" test $code = 1 -o $code = 3
db check "$scratch/key"
is "what is no database is refused" 1 $code
db check --data "$scratch/nowhere"
is "a folder without one too" 1 $code
db
is "without an action: usage" 2 $code
db vacuum
is "another action: usage" 2 $code

serve_done
tap_done
