-- The tables of ../sqlite, in PostgreSQL 15 or later. Times are nanoseconds since 1970 in UTC, ids are UUIDs, JSON is text.

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX users_by_email ON users (lower(email));

CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    prefix TEXT NOT NULL,
    hash BYTEA NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);

CREATE TABLE files (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    format TEXT,
    is_archive BOOLEAN NOT NULL DEFAULT FALSE,
    sniffed TEXT,
    size BIGINT NOT NULL,
    blob TEXT UNIQUE,
    sha256 TEXT,
    public BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    uploaded_at BIGINT,
    expires_at BIGINT NOT NULL,
    UNIQUE (user_id, created_at),
    CHECK ((blob IS NULL) = (uploaded_at IS NULL) AND (blob IS NULL) = (sha256 IS NULL))
);

CREATE INDEX files_by_expiry ON files (expires_at);
CREATE INDEX files_stored ON files (user_id, expires_at, size);

-- The row is the job. A worker may take it from `ready_at` on: that is its creation, the end of a claim's lease, or the end of
-- a pause after a fault; NULL once it is COMPLETED or FAILED. `worker` names who holds the claim, `attempt` fences off older
-- claims. Files expire before tasks do, hence no foreign keys to them.
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    public BOOLEAN NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
    lane TEXT NOT NULL CHECK (lane IN ('image', 'heavy')),
    class TEXT NOT NULL CHECK (class IN ('short', 'long')),
    input_format TEXT NOT NULL,
    output_format TEXT NOT NULL,
    settings TEXT NOT NULL,
    secrets TEXT,
    input TEXT NOT NULL,
    input_count BIGINT NOT NULL CHECK (input_count >= 1),
    output TEXT,
    metadata TEXT NOT NULL,
    attempt BIGINT NOT NULL DEFAULT 0,
    faults BIGINT NOT NULL DEFAULT 0,
    restarts BIGINT NOT NULL DEFAULT 0,
    worker TEXT,
    ready_at BIGINT,
    request_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    started_at BIGINT,
    processed_at BIGINT,
    UNIQUE (user_id, created_at),
    CHECK ((output IS NOT NULL) = (status = 'COMPLETED')),
    CHECK ((ready_at IS NULL) = (status IN ('COMPLETED', 'FAILED'))),
    CHECK ((processed_at IS NOT NULL) = (status IN ('COMPLETED', 'FAILED')))
);

CREATE INDEX tasks_by_turn ON tasks (lane, class, ready_at, user_id, created_at, worker) WHERE ready_at IS NOT NULL;
CREATE INDEX tasks_unfinished_by_user ON tasks (user_id, created_at) WHERE ready_at IS NOT NULL;
CREATE INDEX tasks_unfinished_by_input ON tasks (input) WHERE ready_at IS NOT NULL;
CREATE INDEX tasks_by_end ON tasks (processed_at) WHERE processed_at IS NOT NULL;

CREATE TABLE task_inputs (
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    position BIGINT NOT NULL CHECK (position >= 1),
    file TEXT NOT NULL,
    format TEXT NOT NULL,
    PRIMARY KEY (task, position)
);

CREATE INDEX task_inputs_by_file ON task_inputs (file);

-- Answers by Idempotency-Key. Until there is one `status` is NULL: the request is under way until `busy_until`, or came to
-- nothing. What it makes gets the id `made`, by which it is found when the request comes again.
CREATE TABLE answers (
    user_id TEXT NOT NULL REFERENCES users (id),
    key TEXT NOT NULL,
    request BYTEA NOT NULL,
    made TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    busy_until BIGINT NOT NULL,
    status BIGINT,
    PRIMARY KEY (user_id, key)
);

CREATE INDEX answers_by_age ON answers (created_at);
CREATE INDEX answers_by_made ON answers (made);

-- `turn` numbers the claims of a lane; there is the last one of each user.
CREATE TABLE turns (
    lane TEXT NOT NULL CHECK (lane IN ('image', 'heavy')),
    user_id TEXT NOT NULL REFERENCES users (id),
    turn BIGINT NOT NULL,
    PRIMARY KEY (lane, user_id)
);

CREATE INDEX turns_in_order ON turns (lane, turn);

-- The calls of each key: the theoretical arrival time (GCRA) of the next one.
CREATE TABLE rates (
    hash BYTEA PRIMARY KEY,
    arrival BIGINT NOT NULL
);

-- Processor time of a day (UTC, counted from 1970).
CREATE TABLE processing (
    day BIGINT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    milliseconds BIGINT NOT NULL,
    PRIMARY KEY (day, user_id)
);

-- The keys of signed URLs, as JSON.
CREATE TABLE signing_keys (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);

-- Written to find out whether the database can be.
CREATE TABLE health (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    checks BIGINT NOT NULL
);
