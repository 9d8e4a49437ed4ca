#!/usr/bin/env bash
# A database of every earlier version, with rows of its time, becomes one of
# today: same tables and columns as a fresh one, nothing lost.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

cat >"$scratch/old.py" <<'P'
import glob, sqlite3, sys
path, version = sys.argv[1], int(sys.argv[2])
words = {"{ID}": "INTEGER PRIMARY KEY", "{I64}": "INTEGER", "{F64}": "REAL",
         "{BLOB}": "BLOB", "{STRICT}": "STRICT",
         "{STRICT_WITHOUT_ROWID}": "STRICT, WITHOUT ROWID"}
base = sqlite3.connect(path)
for number, file in enumerate(sorted(glob.glob("db/migrations/*.sql")), 1):
    if number > version:
        break
    sql = open(file).read()
    for word, what in words.items():
        sql = sql.replace(word, what)
    base.executescript(sql)
    if number == 1:
        base.executescript("""
            INSERT INTO users VALUES (1, 'admin', 1, 5), (2, 'ann', 0, 6);
            INSERT INTO tokens VALUES (x'%s', 1, 5, NULL), (x'%s', 2, 6, 9);
            INSERT INTO names VALUES (1, 'tron', 'hunter', 2, 7);
            INSERT INTO bots VALUES (1, 1, 1, 'ready', 1, '[]', 7, 8);
            INSERT INTO sources VALUES (1, 'bot.c', x'28b52ffd0000010000');
            INSERT INTO builds VALUES (1, 'abc', 'def', x'00', x'00', x'00');
            INSERT INTO matches (id, game, status, rated, profile, seed, limits,
                owner_id, created_ns) VALUES (1, 'tron', 'queued', 0, 0, '7',
                '{}', 2, 8);
            INSERT INTO results (match_id, slot, bot_id) VALUES (1, 0, 1),
                (1, 1, 1);
            INSERT INTO jobs (id, kind, status, priority, subject_id, args,
                fence, attempt, created_ns) VALUES
                (1, 'match', 'queued', 10, 1, '{}', 0, 0, 8);
            INSERT INTO ratings VALUES (1, 1500, 200, 0.06, 3, 1, 1, 1);
            INSERT INTO audit VALUES (1, 9, 1, 'user.add', 'ann');
        """ % ("11" * 32, "22" * 32))
base.executescript("PRAGMA application_id=1112495444;"
                   "PRAGMA user_version=%d" % min(version, number))
P
cat >"$scratch/shape.py" <<'P'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
for (name,) in base.execute("SELECT name FROM sqlite_schema WHERE type = 'table' "
                            "AND name NOT LIKE 'sqlite%' ORDER BY name"):
    columns = sorted(tuple(c[1:4]) + (c[5],) for c in
                     base.execute("PRAGMA table_info(%s)" % name))
    keys = sorted(k[2:5] for k in base.execute("PRAGMA foreign_key_list(%s)" % name))
    print(name, columns, keys)
for row in base.execute("SELECT name, tbl_name FROM sqlite_schema WHERE type = "
                        "'index' AND name NOT LIKE 'sqlite%' ORDER BY name"):
    print(*row)
P

newest=$(ls db/migrations/*.sql | wc -l)
for version in $(seq "$newest"); do
    python3 "$scratch/old.py" "$scratch/old$version" "$version"
    said=$("$bout" db restore "$scratch/old$version" --data "$scratch/data$version" 2>&1)
    is "version $version of $newest is taken" 0 $?
    sqlite=$scratch/data$version/bout.db
    # The upload and its build are no zstd frames: `check` reads what it must.
    python3 "$scratch/shape.py" "$sqlite" >"$scratch/shape$version"
    is "and has the shape of today" '' \
        "$(diff "$scratch/shape$version" "$scratch/shape1")"
    is "its rows are there" 'admin admin 1 ann user 1 queued 1500.0' \
        "$(python3 - "$sqlite" <<'P'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
one = lambda sql: str(base.execute(sql).fetchone()[0])
print(*[x for row in base.execute("SELECT u.name, u.role, count(t.user_id) FROM users u "
    "LEFT JOIN tokens t ON t.user_id = u.id AND (t.revoked_ns IS NULL OR u.id = 2) "
    "AND t.created_ns < 100 GROUP BY u.id ORDER BY u.id") for x in row],
    one("SELECT status FROM matches"), one("SELECT rating FROM ratings"))
P
)"
done
said=$("$bout" db check "$scratch/old$newest" 2>&1)
is "a database of today is checked" 0 $?
tap_done
