"""Adds COUNT bots that play tron's ladder to a stopped service's database:
http_rows.py DATABASE COUNT"""
import sqlite3
import sys

base = sqlite3.connect(sys.argv[1])
count = int(sys.argv[2])


def add(table, **values):
    columns = {row[1]: row for row in base.execute(f"PRAGMA table_info({table})")}
    for name, row in columns.items():  # what must be there and has no default
        if name not in values and row[3] and row[4] is None and not row[5]:
            values[name] = 0 if row[2] in ("INTEGER", "REAL") else ""
    names = ", ".join(values)
    marks = ", ".join("?" * len(values))
    return base.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})",
                        list(values.values())).lastrowid


owner = base.execute("SELECT min(id) FROM users").fetchone()[0]
for n in range(count):
    name = add("names", owner_id=owner, game="tron", name=f"bot{n}")
    bot = add("bots", name_id=name, version=1, status="ready", active=1, diagnostics="[]",
              created_ns=1)
    add("ratings", bot_id=bot, rating=1500 + n % 700, deviation=60, volatility=0.06,
        games=30)
base.commit()
