-- Quotas, fairness between users, what is told of a version, batches.

CREATE TABLE quotas (
    user_id {I64} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL, -- a word of quota.def
    value {I64} NOT NULL,
    PRIMARY KEY (user_id, name)
) {STRICT_WITHOUT_ROWID};

ALTER TABLE users ADD COLUMN erased_ns {I64};

-- Within a lane (priority) jobs go by round: a user's jobs are in rounds of
-- their own, one a round.
ALTER TABLE jobs ADD COLUMN user_id {I64} NOT NULL DEFAULT 0; -- 0: nobody's
ALTER TABLE jobs ADD COLUMN round {I64} NOT NULL DEFAULT 0;
DROP INDEX jobs_queued;
CREATE INDEX jobs_queued ON jobs (priority DESC, round, id)
    WHERE status = 'queued';
CREATE INDEX jobs_fair ON jobs (user_id, priority, round)
    WHERE status = 'queued';
CREATE INDEX jobs_user ON jobs (user_id, kind, created_ns);

ALTER TABLE bots ADD COLUMN notes TEXT NOT NULL DEFAULT '';
ALTER TABLE bots ADD COLUMN forked_from {I64};
ALTER TABLE bots ADD COLUMN faults {I64} NOT NULL DEFAULT 0; -- in a row
ALTER TABLE bots ADD COLUMN reason TEXT; -- why it is suspended
ALTER TABLE bots ADD COLUMN dropped_ns {I64}; -- source and build are gone

CREATE TABLE batches (
    id {ID},
    owner_id {I64} NOT NULL REFERENCES users (id),
    created_ns {I64} NOT NULL
) {STRICT};

ALTER TABLE matches ADD COLUMN batch_id {I64} REFERENCES batches (id);
CREATE INDEX matches_batch ON matches (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX matches_waiting ON matches (owner_id)
    WHERE status IN ('queued', 'running');
