-- Where a resumable upload is in an object store, and whose turn it is: each request that wants an upload takes the next `claim`, and only the last
-- one may record something. No reference to `files`: when a file is gone, its parts are still to be deleted.
CREATE TABLE upload_states (
    file TEXT PRIMARY KEY NOT NULL,
    claim INTEGER NOT NULL,
    name TEXT,
    multipart TEXT,
    hash TEXT,
    rest TEXT
) STRICT;

CREATE INDEX upload_states_by_rest ON upload_states (rest);

-- The store's ids of the parts of an upload, from 1 on.
CREATE TABLE upload_parts (
    file TEXT NOT NULL REFERENCES upload_states (file) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (file, number)
) STRICT;
