CREATE TABLE bot(id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL,
                 rating REAL CHECK(rating > 0), owner INT);
CREATE TABLE game(id INTEGER PRIMARY KEY, a INT REFERENCES bot, b INT,
                  score REAL, played TEXT);
CREATE TABLE log(what TEXT, n INT);
CREATE INDEX by_a ON game(a, score);
CREATE TRIGGER noted AFTER UPDATE OF rating ON bot WHEN new.rating > 2000
BEGIN INSERT INTO log VALUES('over ' || new.name, round(new.rating)); END;

BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO bot SELECT i, printf('bot%03d', i), 1500 + i * i / 7.0, i % 5 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
INSERT INTO game SELECT i, i * 7919 % 40 + 1, i * 104729 % 40 + 1,
    (i * 31 % 3) / 2.0, date('2000-01-01', (i % 365) || ' days') FROM n;
COMMIT;

SELECT count(*), min(rating), max(rating), avg(rating), total(owner) FROM bot;
SELECT b.name, count(*) AS games, sum(g.score) FROM game g JOIN bot b ON b.id = g.a
    GROUP BY b.id HAVING games > 70 ORDER BY 3 DESC, b.name LIMIT 6;
SELECT name FROM bot WHERE id NOT IN (SELECT a FROM game) ORDER BY name DESC LIMIT 4;
SELECT strftime('%Y-%m', played) AS month, count(DISTINCT a), max(score)
    FROM game GROUP BY month ORDER BY month;
SELECT owner, name, rank() OVER (PARTITION BY owner ORDER BY rating DESC) AS place,
    round(sum(rating) OVER (PARTITION BY owner ORDER BY id
        ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), 3) FROM bot
    WHERE owner < 2 ORDER BY owner, place;
UPDATE bot SET rating = rating * 1.21 WHERE id % 3 = 0;
SELECT * FROM log ORDER BY n, what;
DELETE FROM game WHERE score = 0.5 AND a < b;
SELECT count(*) FROM game;
SELECT 1 / 3.0, 1e300 * 10, 7 / 2, -7 % 3, 9223372036854775807 + 1, 0x1F, 1 << 40;
SELECT upper('aeiou'), substr('tournament', 2, 5), instr('needle', 'd'),
    replace('a.b.c', '.', '-'), hex('bout'), length('äö'), quote(x'0102'),
    'abc' LIKE 'A%', 'abc' GLOB 'A*', trim('  x '), typeof(2.0), unicode('€');
SELECT julianday('2000-03-01') - julianday('2000-02-01'), time('now'),
    strftime('%j %W %s', '2004-12-31');
SELECT json_extract('{"a":[1,{"b":2.5}]}', '$.a[1].b'),
    json_group_array(id) FROM bot WHERE id < 6;
WITH RECURSIVE
    xaxis(x) AS (VALUES(-2.0) UNION ALL SELECT x + 0.1 FROM xaxis WHERE x < 1.1),
    yaxis(y) AS (VALUES(-1.0) UNION ALL SELECT y + 0.2 FROM yaxis WHERE y < 0.9),
    m(iter, cx, cy, x, y) AS (
        SELECT 0, x, y, 0.0, 0.0 FROM xaxis, yaxis
        UNION ALL
        SELECT iter + 1, cx, cy, x * x - y * y + cx, 2.0 * x * y + cy FROM m
            WHERE x * x + y * y < 4.0 AND iter < 20),
    m2(iter, cx, cy) AS (SELECT max(iter), cx, cy FROM m GROUP BY cx, cy),
    a(t) AS (SELECT group_concat(substr(' .+*#', 1 + min(iter / 5, 4), 1), '')
        FROM m2 GROUP BY cy)
SELECT group_concat(rtrim(t), x'0a') FROM a;
INSERT INTO bot VALUES(1, 'twice', 1, 1);
INSERT INTO bot VALUES(99, 'bot001', 1, 1);
INSERT INTO bot VALUES(99, 'low', -1, 1);
INSERT INTO bot(id, name, rating) VALUES(1, 'new', 9)
    ON CONFLICT(id) DO UPDATE SET owner = 77 RETURNING id, owner;
SELECT * FROM absent;
SELEC 1;
SAVEPOINT here;
DELETE FROM bot;
SELECT count(*) FROM bot;
ROLLBACK TO here;
RELEASE here;
SELECT count(*), sum(id) FROM bot;
PRAGMA foreign_keys = ON;
INSERT INTO game(a) VALUES(1234);
