-- How many bytes of a resumable upload are safely on disk. There is no row before the first of them.
CREATE TABLE uploads (
    file TEXT PRIMARY KEY NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    received INTEGER NOT NULL CHECK (received >= 0)
) STRICT, WITHOUT ROWID;
