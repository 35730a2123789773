-- What users take: the bytes of their files are summed from an index, processor time is charged to a day (UTC, counted from 1970).

CREATE INDEX files_stored ON files (user, expires_at, size);

CREATE TABLE processing (
    day INTEGER NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    milliseconds INTEGER NOT NULL,
    PRIMARY KEY (day, user_id)
) STRICT, WITHOUT ROWID;
