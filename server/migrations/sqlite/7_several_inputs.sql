-- The inputs of a task after the first, which is `tasks.input`, from position 1. Files expire before tasks do, hence no foreign keys to
-- them.

ALTER TABLE tasks ADD COLUMN input_count INTEGER NOT NULL DEFAULT 1 CHECK (input_count >= 1);

CREATE TABLE task_inputs (
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 1),
    file TEXT NOT NULL,
    format TEXT NOT NULL,
    PRIMARY KEY (task, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_inputs_by_file ON task_inputs (file);
