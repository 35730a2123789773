-- PostgreSQL has a keyword `user`: the columns have the name that later tables already use, so that a statement is written once.

ALTER TABLE keys RENAME COLUMN user TO user_id;
ALTER TABLE files RENAME COLUMN user TO user_id;
ALTER TABLE tasks RENAME COLUMN user TO user_id;
ALTER TABLE answers RENAME COLUMN user TO user_id;

-- The keys of signed URLs, as JSON, for services whose processes share no directory.
CREATE TABLE signing_keys (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    version INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;
