-- Tasks are deleted some time after their end, with the answers that made them. An answer is no longer kept as it was sent, since
-- it had signed URLs: it is made anew from what `made` names.

UPDATE answers SET location = NULL, body = NULL;

CREATE INDEX answers_by_made ON answers (made);

CREATE INDEX tasks_by_end ON tasks (processed_at) WHERE processed_at IS NOT NULL;
