-- The entries of the log of one key, in their order.
CREATE INDEX key_log_by_key ON key_log (key_id, at, id);
