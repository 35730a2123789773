-- The URL that is called when a task ends, and how far that is. A call may be made from `ready_at` on: that is the end of the task, the end
-- of a claim's lease, or the end of a pause after a failure; NULL before and after. `worker` names who holds the claim, `attempt` fences off
-- older claims. A table of its own: a new column of `tasks` would break statements that running servers have prepared.
CREATE TABLE callbacks (
    id TEXT PRIMARY KEY,
    task TEXT NOT NULL UNIQUE REFERENCES tasks (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id),
    url TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('WAITING', 'PENDING', 'DELIVERED', 'FAILED')),
    attempt BIGINT NOT NULL DEFAULT 0,
    failure TEXT,
    worker TEXT,
    ready_at BIGINT,
    updated_at BIGINT NOT NULL,
    CHECK ((ready_at IS NOT NULL) = (status = 'PENDING'))
);

CREATE INDEX callbacks_due ON callbacks (ready_at) WHERE ready_at IS NOT NULL;
CREATE INDEX callbacks_unfinished_by_user ON callbacks (user_id, status) WHERE status IN ('WAITING', 'PENDING');

-- What callbacks are signed with, in the text form that receivers have. The secret before signs too until `previous_until`.
CREATE TABLE callback_secrets (
    user_id TEXT PRIMARY KEY REFERENCES users (id),
    secret TEXT NOT NULL,
    previous TEXT,
    previous_until BIGINT,
    created_at BIGINT NOT NULL
);
