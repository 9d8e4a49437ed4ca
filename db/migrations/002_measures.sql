-- What matches took of the machines that played them.

-- A machine as its worker describes it, by the facts' SHA-256.
CREATE TABLE hosts (
    hash TEXT NOT NULL PRIMARY KEY,
    facts TEXT NOT NULL -- JSON object
) {STRICT_WITHOUT_ROWID};

CREATE TABLE match_measures (
    match_id {I64} NOT NULL PRIMARY KEY
        REFERENCES matches (id) ON DELETE CASCADE,
    host TEXT NOT NULL, -- in `hosts`
    data TEXT NOT NULL -- JSON object
) {STRICT};
