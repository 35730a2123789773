-- What a key may do and until when, and when it was last used. `scopes` is a list separated by commas; NULL is everything. Running servers of
-- the version before select no column of `keys` by `*`, so that their prepared statements stay valid; they do not know these limits.
ALTER TABLE keys ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE keys ADD COLUMN scopes TEXT;
ALTER TABLE keys ADD COLUMN expires_at BIGINT;
ALTER TABLE keys ADD COLUMN used_at BIGINT;

-- What happened to keys and with them. `method`, `path`, `status`, `address` and `request_id` are those of a request, if there was one.
CREATE TABLE key_log (
    id TEXT PRIMARY KEY,
    key_id TEXT NOT NULL REFERENCES keys (id),
    at BIGINT NOT NULL,
    event TEXT NOT NULL CHECK (event IN ('created', 'revoked', 'used', 'refused')),
    method TEXT,
    path TEXT,
    status BIGINT,
    address TEXT,
    request_id TEXT
);

CREATE INDEX key_log_by_time ON key_log (at);
