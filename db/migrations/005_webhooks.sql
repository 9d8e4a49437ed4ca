-- Who is told when a match is over, and what is to be told yet.

CREATE TABLE webhooks (
    id {ID},
    user_id {I64} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    secret TEXT NOT NULL, -- signs what is sent: it has to be readable
    created_ns {I64} NOT NULL
) {STRICT};
CREATE INDEX webhooks_user ON webhooks (user_id);

CREATE TABLE deliveries (
    id {ID},
    webhook_id {I64} NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    match_id {I64} NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    status TEXT NOT NULL, -- waiting, done, failed
    attempts {I64} NOT NULL,
    next_ns {I64} NOT NULL,
    answer TEXT NOT NULL, -- to the last attempt
    created_ns {I64} NOT NULL
) {STRICT};
CREATE INDEX deliveries_waiting ON deliveries (next_ns)
    WHERE status = 'waiting';
CREATE INDEX deliveries_webhook ON deliveries (webhook_id, id);
