-- Claims go round by user. `class` is the estimate of a task's work at its creation; `turns` numbers the claims of a lane, and holds
-- the last one of each user.

ALTER TABLE tasks ADD COLUMN class TEXT NOT NULL DEFAULT 'long' CHECK (class IN ('short', 'long'));

-- A claim reads the waiting tasks of its lane from this index alone.
CREATE INDEX tasks_by_turn ON tasks (lane, class, ready_at, user, created_at, worker) WHERE ready_at IS NOT NULL;

CREATE TABLE turns (
    lane TEXT NOT NULL CHECK (lane IN ('image', 'heavy')),
    user_id TEXT NOT NULL REFERENCES users (id),
    turn INTEGER NOT NULL,
    PRIMARY KEY (lane, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX turns_in_order ON turns (lane, turn);
