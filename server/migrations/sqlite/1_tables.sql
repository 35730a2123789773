-- Times are nanoseconds since 1970 in UTC, ids are UUIDs, JSON is text.

CREATE TABLE users (
    id TEXT PRIMARY KEY NOT NULL,
    email TEXT NOT NULL UNIQUE COLLATE NOCASE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
    id TEXT PRIMARY KEY NOT NULL,
    user TEXT NOT NULL REFERENCES users (id),
    prefix TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE files (
    id TEXT PRIMARY KEY NOT NULL,
    user TEXT NOT NULL REFERENCES users (id),
    format TEXT,
    sniffed TEXT,
    size INTEGER NOT NULL,
    blob TEXT UNIQUE,
    sha256 TEXT,
    public INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    uploaded_at INTEGER,
    expires_at INTEGER NOT NULL,
    UNIQUE (user, created_at),
    CHECK ((blob IS NULL) = (uploaded_at IS NULL) AND (blob IS NULL) = (sha256 IS NULL))
) STRICT;

CREATE INDEX files_by_expiry ON files (expires_at);

-- The row is the job. A worker may take it from `ready_at` on: that is its creation, the end of a claim's lease, or the end of
-- a pause after a fault; NULL once it is COMPLETED or FAILED. `worker` names who holds the claim, `attempt` fences off older
-- claims. Files expire before tasks do, hence no foreign keys to them.
CREATE TABLE tasks (
    id TEXT PRIMARY KEY NOT NULL,
    user TEXT NOT NULL REFERENCES users (id),
    public INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
    lane TEXT NOT NULL CHECK (lane IN ('image', 'heavy')),
    input_format TEXT NOT NULL,
    output_format TEXT NOT NULL,
    settings TEXT NOT NULL,
    input TEXT NOT NULL,
    output TEXT,
    metadata TEXT NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    faults INTEGER NOT NULL DEFAULT 0,
    restarts INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    ready_at INTEGER,
    request_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    started_at INTEGER,
    processed_at INTEGER,
    UNIQUE (user, created_at),
    CHECK ((output IS NOT NULL) = (status = 'COMPLETED')),
    CHECK ((ready_at IS NULL) = (status IN ('COMPLETED', 'FAILED'))),
    CHECK ((processed_at IS NOT NULL) = (status IN ('COMPLETED', 'FAILED')))
) STRICT;

CREATE INDEX tasks_queue ON tasks (lane, created_at) WHERE ready_at IS NOT NULL;
CREATE INDEX tasks_unfinished_by_user ON tasks (user) WHERE ready_at IS NOT NULL;
CREATE INDEX tasks_unfinished_by_input ON tasks (input) WHERE ready_at IS NOT NULL;

-- Answers by Idempotency-Key. Until there is one `status` is NULL: the request is under way until `busy_until`, or came to
-- nothing. What it makes gets the id `made`, by which it is found when the request comes again.
CREATE TABLE answers (
    user TEXT NOT NULL REFERENCES users (id),
    key TEXT NOT NULL,
    request BLOB NOT NULL,
    made TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    busy_until INTEGER NOT NULL,
    status INTEGER,
    location TEXT,
    body TEXT,
    PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX answers_by_age ON answers (created_at);
