-- The bytes of an archive are a ZIP of files of its format.
ALTER TABLE files ADD COLUMN is_archive INTEGER NOT NULL DEFAULT 0;

-- Settings that are not shown, as JSON; NULL once the task has ended.
ALTER TABLE tasks ADD COLUMN secrets TEXT;
