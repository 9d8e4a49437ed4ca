-- The next delivery of each webhook is found without its others: a receiver
-- that is silent has thousands.

DROP INDEX deliveries_waiting;
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, next_ns, id)
    WHERE status = 'waiting';
