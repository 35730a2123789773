-- The calls of each key: the theoretical arrival time (GCRA) of the next one, in nanoseconds since 1970.

CREATE TABLE rates (
    hash BLOB PRIMARY KEY NOT NULL,
    arrival INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
