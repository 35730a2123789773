-- The objects of resumable uploads, which the garbage collector looks up by their names.
CREATE INDEX upload_states_by_name ON upload_states (name);
