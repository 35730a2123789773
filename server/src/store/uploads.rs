//! How far resumable uploads are. The bytes are in the blob store; here is how many of them survive a crash.

use super::engine::query;
use super::error::Result;
use super::{Store, rows};

impl Store {
    /// The bytes of an upload that are safely stored; 0 before the first.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn received(&self, file: &str) -> Result<u64> {
        let received: Option<i64> = query("SELECT received FROM uploads WHERE file = ?")
            .bind(file)
            .scalar_optional(&self.reads)
            .await?;
        Ok(received.and_then(|received| u64::try_from(received).ok()).unwrap_or(0))
    }

    /// Records that so many bytes of an upload are safely stored; false if the file is gone or has its content.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn set_received(&self, file: &str, received: u64) -> Result<bool> {
        let done = query(
            "INSERT INTO uploads (file, received) SELECT id, ?1 FROM files WHERE id = ?2 AND blob IS NULL
             ON CONFLICT (file) DO UPDATE SET received = excluded.received",
        )
        .bind(rows::size(received)?)
        .bind(file)
        .execute(&self.writes)
        .await?;
        Ok(done == 1)
    }

    /// Deletes a file that has no content; false if there is none.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn discard_upload(&self, file: &str) -> Result<bool> {
        let done =
            query("DELETE FROM files WHERE id = ? AND blob IS NULL").bind(file).execute(&self.writes).await?;
        Ok(done == 1)
    }

    /// Those of `files` that do not wait for content: they have it, or are gone.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn not_awaited(&self, files: &[String]) -> Result<Vec<String>> {
        query(format!(
            "SELECT value FROM {} WHERE NOT EXISTS (SELECT 1 FROM files WHERE id = value AND blob IS NULL)",
            self.reads.list()
        ))
        .bind(serde_json::Value::from(files).to_string())
        .scalars(&self.reads)
        .await
    }
}
