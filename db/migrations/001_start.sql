-- The first shape of the database. {NAMES} differ by engine: see sqlite.c.
-- Times are nanoseconds since 1970. BLOBs named `data` are zstd frames.

CREATE TABLE users (
    id {ID},
    name TEXT NOT NULL UNIQUE,
    admin {I64} NOT NULL,
    created_ns {I64} NOT NULL
) {STRICT};

CREATE TABLE tokens (
    hash {BLOB} NOT NULL PRIMARY KEY, -- SHA-256
    user_id {I64} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_ns {I64} NOT NULL,
    revoked_ns {I64}
) {STRICT_WITHOUT_ROWID};
CREATE INDEX tokens_user ON tokens (user_id);

-- A name within a game belongs to one owner; its versions are `bots`.
CREATE TABLE names (
    id {ID},
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    owner_id {I64} NOT NULL REFERENCES users (id),
    created_ns {I64} NOT NULL,
    UNIQUE (game, name)
) {STRICT};

CREATE TABLE bots (
    id {ID},
    name_id {I64} NOT NULL REFERENCES names (id),
    version {I64} NOT NULL,
    status TEXT NOT NULL,
    active {I64} NOT NULL,
    diagnostics TEXT NOT NULL, -- JSON array
    created_ns {I64} NOT NULL,
    decided_ns {I64},
    UNIQUE (name_id, version)
) {STRICT};
CREATE UNIQUE INDEX bots_active ON bots (name_id) WHERE active = 1;

CREATE TABLE sources (
    bot_id {I64} NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    data {BLOB} NOT NULL,
    UNIQUE (bot_id, path)
) {STRICT};

-- A build a version, not a hash: equal code may come from other lines.
CREATE TABLE builds (
    bot_id {I64} NOT NULL PRIMARY KEY REFERENCES bots (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    module {BLOB} NOT NULL,
    blocks {BLOB} NOT NULL,
    layout {BLOB} NOT NULL
) {STRICT};

-- A cache: what a build's module became for a target.
CREATE TABLE executables (
    bot_id {I64} NOT NULL REFERENCES builds (bot_id) ON DELETE CASCADE,
    target TEXT NOT NULL,
    data {BLOB} NOT NULL,
    UNIQUE (bot_id, target)
) {STRICT};

CREATE TABLE matches (
    id {ID},
    game TEXT NOT NULL,
    status TEXT NOT NULL,
    rated {I64} NOT NULL,
    profile {I64} NOT NULL,
    seed TEXT NOT NULL,
    limits TEXT NOT NULL, -- JSON object: what was lowered
    owner_id {I64} REFERENCES users (id), -- NULL: the ladder
    created_ns {I64} NOT NULL,
    started_ns {I64},
    finished_ns {I64},
    finish_number {I64} UNIQUE, -- order in which ratings are applied
    turns {I64},
    replay_sha256 TEXT,
    verified {I64}, -- NULL: never tried
    game_version TEXT,
    fingerprint TEXT,
    reason TEXT
) {STRICT};
CREATE INDEX matches_status ON matches (status, id);

CREATE TABLE results (
    match_id {I64} NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    slot {I64} NOT NULL,
    bot_id {I64} NOT NULL REFERENCES bots (id),
    rank {I64},
    score {I64},
    verdict TEXT,
    detail TEXT,
    private_detail TEXT,
    instructions {I64},
    rating {F64}, -- after the match
    deviation {F64},
    PRIMARY KEY (match_id, slot)
) {STRICT_WITHOUT_ROWID};
CREATE INDEX results_bot ON results (bot_id, match_id);

CREATE TABLE turns (
    match_id {I64} NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    turn {I64} NOT NULL,
    slot {I64} NOT NULL,
    status TEXT NOT NULL,
    instructions {I64}, -- NULL: the turn ended in a fault
    wall_ns {I64} NOT NULL,
    cpu_ns {I64}, -- NULL: too short to be worth reading
    memory_bytes {I64} NOT NULL,
    reply {BLOB}, -- NULL: long, see turn_texts
    PRIMARY KEY (match_id, turn, slot)
) {STRICT_WITHOUT_ROWID};

-- What a bot printed in a turn and is too long for its row, and its stderr.
CREATE TABLE turn_texts (
    match_id {I64} NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    slot {I64} NOT NULL,
    stream {I64} NOT NULL, -- 1 reply, 2 stderr
    turn {I64} NOT NULL,
    data {BLOB} NOT NULL,
    UNIQUE (match_id, slot, stream, turn)
) {STRICT};

CREATE TABLE match_logs (
    match_id {I64} NOT NULL PRIMARY KEY
        REFERENCES matches (id) ON DELETE CASCADE,
    data {BLOB} NOT NULL
) {STRICT};

CREATE TABLE profile_chunks (
    match_id {I64} NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    slot {I64} NOT NULL,
    chunk {I64} NOT NULL,
    data {BLOB} NOT NULL, -- the form of profiles.h
    UNIQUE (match_id, slot, chunk)
) {STRICT};

CREATE TABLE jobs (
    id {ID},
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    priority {I64} NOT NULL,
    subject_id {I64} NOT NULL,
    args TEXT NOT NULL, -- JSON object
    fence {I64} NOT NULL,
    attempt {I64} NOT NULL,
    holder TEXT,
    lease_until_ns {I64},
    reason TEXT,
    created_ns {I64} NOT NULL,
    finished_ns {I64}
) {STRICT};
CREATE INDEX jobs_queued ON jobs (priority DESC, id) WHERE status = 'queued';
CREATE INDEX jobs_leased ON jobs (lease_until_ns) WHERE status = 'leased';
CREATE INDEX jobs_subject ON jobs (subject_id, kind);

CREATE TABLE ratings (
    bot_id {I64} NOT NULL PRIMARY KEY REFERENCES bots (id) ON DELETE CASCADE,
    rating {F64} NOT NULL,
    deviation {F64} NOT NULL,
    volatility {F64} NOT NULL,
    games {I64} NOT NULL,
    wins {I64} NOT NULL,
    losses {I64} NOT NULL,
    ties {I64} NOT NULL
) {STRICT};

CREATE TABLE settings (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) {STRICT_WITHOUT_ROWID};

-- Answers to requests that carried an Idempotency-Key. user_id 0: no token.
CREATE TABLE repeats (
    user_id {I64} NOT NULL,
    key TEXT NOT NULL,
    request_hash {BLOB} NOT NULL,
    http_status {I64} NOT NULL,
    location TEXT,
    body TEXT NOT NULL,
    created_ns {I64} NOT NULL,
    PRIMARY KEY (user_id, key)
) {STRICT};
CREATE INDEX repeats_created ON repeats (created_ns);

CREATE TABLE audit (
    id {ID},
    at_ns {I64} NOT NULL,
    user_id {I64}, -- NULL: the service
    action TEXT NOT NULL,
    subject TEXT NOT NULL
) {STRICT};
