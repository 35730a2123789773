-- The lists of all users, newest first, that the operator's page has.
CREATE INDEX tasks_by_creation ON tasks (created_at, id);
CREATE INDEX keys_by_creation ON keys (created_at, id);
