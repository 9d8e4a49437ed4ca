-- Roles, tokens that end and may do less, invitations.

ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'user';
UPDATE users SET role = 'admin' WHERE admin = 1;
ALTER TABLE users DROP COLUMN admin;

CREATE TABLE tokens_new (
    id {ID},
    hash {BLOB} NOT NULL UNIQUE, -- SHA-256
    user_id {I64} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    scopes TEXT NOT NULL, -- words of scope.def, or 'all'
    created_ns {I64} NOT NULL,
    expires_ns {I64}, -- NULL: never
    revoked_ns {I64}
) {STRICT};
INSERT INTO tokens_new (hash, user_id, label, scopes, created_ns, revoked_ns)
    SELECT hash, user_id, '', 'all', created_ns, revoked_ns FROM tokens
    ORDER BY created_ns;
DROP TABLE tokens;
ALTER TABLE tokens_new RENAME TO tokens;
CREATE INDEX tokens_user ON tokens (user_id);

CREATE TABLE invitations (
    id {ID},
    hash {BLOB} NOT NULL UNIQUE, -- SHA-256
    label TEXT NOT NULL,
    uses_left {I64} NOT NULL,
    created_ns {I64} NOT NULL,
    expires_ns {I64}, -- NULL: never
    revoked_ns {I64}
) {STRICT};
