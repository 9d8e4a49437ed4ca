-- What of a match may be dropped in time, and how much of it there is.

CREATE TABLE match_parts (
    match_id {I64} NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    part {I64} NOT NULL, -- 1 replay, 2 stderr, 3 profiles: retention.def
    since_ns {I64} NOT NULL,
    bytes {I64} NOT NULL,
    PRIMARY KEY (match_id, part)
) {STRICT_WITHOUT_ROWID};
CREATE INDEX match_parts_oldest ON match_parts (part, since_ns, bytes);

ALTER TABLE matches ADD COLUMN replays_dropped_ns {I64};
ALTER TABLE matches ADD COLUMN logs_dropped_ns {I64};
ALTER TABLE matches ADD COLUMN profiles_dropped_ns {I64};

INSERT INTO match_parts (match_id, part, since_ns, bytes)
    SELECT m.id, 1, coalesce(m.finished_ns, m.created_ns), length(l.data)
    FROM match_logs l JOIN matches m ON m.id = l.match_id;
INSERT INTO match_parts (match_id, part, since_ns, bytes)
    SELECT m.id, 2, coalesce(m.finished_ns, m.created_ns), t.bytes
    FROM (SELECT match_id, sum(length(data)) AS bytes FROM turn_texts
          WHERE stream = 2 GROUP BY match_id) t
    JOIN matches m ON m.id = t.match_id;
INSERT INTO match_parts (match_id, part, since_ns, bytes)
    SELECT m.id, 3, coalesce(m.finished_ns, m.created_ns), p.bytes
    FROM (SELECT match_id, sum(length(data)) AS bytes FROM profile_chunks
          GROUP BY match_id) p
    JOIN matches m ON m.id = p.match_id;

CREATE INDEX jobs_ended ON jobs (finished_ns) WHERE finished_ns IS NOT NULL;
CREATE INDEX deliveries_ended ON deliveries (created_ns)
    WHERE status <> 'waiting';
