//! Deletes expired records, and finds orphaned blobs.

use super::Store;
use super::engine::{LockMode, query};
use super::error::Result;
use super::idempotency::KEY_LIFETIME;
use super::task_inputs::is_more_input;
use crate::clock::Timestamp;

/// Rows per transaction, so that other writers do not wait long.
const BATCH: usize = 500;

impl Store {
    /// Deletes expired files and idempotency keys, and returns the blobs of the files. A file that a worker is reading is deleted
    /// later; it is already invisible to users.
    ///
    /// # Errors
    ///
    /// If the database fails. The blobs of files that were already deleted are then orphaned.
    pub async fn sweep(&self, now: Timestamp) -> Result<Vec<String>> {
        let mut blobs = Vec::new();
        // A claim that is being made locks its input.
        let delete = format!(
            concat!(
                "DELETE FROM files WHERE id IN (
                     SELECT id FROM files WHERE expires_at <= ?1 AND NOT EXISTS (
                         SELECT 1 FROM tasks
                         WHERE input = files.id AND ready_at IS NOT NULL AND worker IS NOT NULL AND ready_at > ?1
                     ) AND NOT ",
                is_more_input!("tasks.worker IS NOT NULL AND tasks.ready_at > ?1"),
                " LIMIT ?2{lock}
                 ) RETURNING blob"
            ),
            lock = self.writes.for_update_skip_locked()
        );
        loop {
            let deleted: Vec<Option<String>> = query(&delete)
                .bind(now.0)
                .bind(i64::try_from(BATCH).unwrap_or(i64::MAX))
                .scalars(&self.writes)
                .await?;
            let full = deleted.len() == BATCH;
            blobs.extend(deleted.into_iter().flatten());
            if !full {
                break;
            }
        }
        query("DELETE FROM answers WHERE created_at <= ?")
            .bind(now.before(KEY_LIFETIME).0)
            .execute(&self.writes)
            .await?;
        Ok(blobs)
    }

    /// Deletes the tasks that ended at or before `until` and whose files are deleted, with their idempotency keys. Returns their
    /// number.
    ///
    /// # Errors
    ///
    /// If the database fails. Each batch is deleted completely or not at all.
    pub async fn sweep_tasks(&self, until: Timestamp) -> Result<usize> {
        let mut count = 0;
        loop {
            let mut transaction = self.begin().await?;
            let lock = transaction.lock(LockMode::ChangeFree, "tasks");
            let ids: Vec<String> = query(format!(
                "SELECT id FROM tasks WHERE processed_at IS NOT NULL AND processed_at <= ?
                     AND NOT EXISTS (SELECT 1 FROM files WHERE files.id = tasks.input)
                     AND NOT EXISTS (SELECT 1 FROM files WHERE files.id = tasks.output)
                     AND NOT EXISTS (
                         SELECT 1 FROM task_inputs JOIN files ON files.id = task_inputs.file
                         WHERE task_inputs.task = tasks.id
                     )
                 LIMIT ?{lock}"
            ))
            .bind(until.0)
            .bind(i64::try_from(BATCH).unwrap_or(i64::MAX))
            .scalars(&mut transaction)
            .await?;
            for id in &ids {
                query("DELETE FROM answers WHERE made = ?").bind(id).execute(&mut transaction).await?;
                query("DELETE FROM tasks WHERE id = ?").bind(id).execute(&mut transaction).await?;
            }
            transaction.commit().await?;
            count += ids.len();
            if ids.len() < BATCH {
                return Ok(count);
            }
        }
    }

    /// Deletes the entries of the log of keys from before `until`.
    ///
    /// # Errors
    ///
    /// If the database fails. The batches before the failed one are deleted.
    pub async fn sweep_key_log(&self, until: Timestamp) -> Result<()> {
        let delete = format!(
            "DELETE FROM key_log WHERE id IN (SELECT id FROM key_log WHERE at < ? LIMIT {BATCH}{lock})",
            lock = self.writes.for_update_skip_locked()
        );
        while query(&delete).bind(until.0).execute(&self.writes).await? == BATCH as u64 {}
        Ok(())
    }

    /// Those of `blobs` that no file and no upload refers to. What was sent to an object store for a file that waits for its content has the
    /// id of that file as its name.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn orphans(&self, blobs: &[String]) -> Result<Vec<String>> {
        let mut orphans = Vec::new();
        for batch in blobs.chunks(BATCH) {
            let names = serde_json::Value::from(batch).to_string();
            let batch: Vec<String> = query(format!(
                "SELECT value FROM {} WHERE NOT EXISTS (SELECT 1 FROM files WHERE blob = value)
                     AND NOT EXISTS (SELECT 1 FROM files WHERE id = value AND blob IS NULL)
                     AND NOT EXISTS (SELECT 1 FROM upload_states WHERE value IN (rest, name))",
                self.reads.list()
            ))
            .bind(names)
            .scalars(&self.reads)
            .await?;
            orphans.extend(batch);
        }
        Ok(orphans)
    }
}
