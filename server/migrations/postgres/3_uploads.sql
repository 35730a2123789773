-- How many bytes of a resumable upload are safely on disk. There is no row before the first of them.
CREATE TABLE uploads (
    file TEXT PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    received BIGINT NOT NULL CHECK (received >= 0)
);
