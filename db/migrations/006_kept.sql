-- What played old matches: a bot is built again under another toolchain, but
-- its matches are verified and profiled with the build that played them.

CREATE TABLE kept_builds (
    bot_id {I64} NOT NULL REFERENCES builds (bot_id) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    hash TEXT NOT NULL,
    module {BLOB} NOT NULL,
    blocks {BLOB} NOT NULL,
    layout {BLOB} NOT NULL,
    target TEXT NOT NULL,
    executable {BLOB} NOT NULL, -- holds the library's code too
    UNIQUE (bot_id, fingerprint)
) {STRICT};

-- The library's block table of each toolchain that ran here, for profiles.
CREATE TABLE kept_libraries (
    fingerprint TEXT NOT NULL PRIMARY KEY,
    blocks {BLOB} NOT NULL
) {STRICT};
