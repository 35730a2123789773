//! The keys of signed URLs, for services whose processes share no directory. What the document says is up to [`crate::signing`].

use super::Store;
use super::engine::query;
use super::error::Result;

impl Store {
    /// The document of the keys and its version; `None` before the first one.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn signing_keys(&self) -> Result<Option<(i64, String)>> {
        let row = query("SELECT version, document FROM signing_keys WHERE id = 1")
            .fetch_optional(&self.reads)
            .await?;
        row.map(|row| Ok((row.get("version")?, row.get("document")?))).transpose()
    }

    /// Replaces the keys of version `known`, or stores the first ones; false if another process was faster.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn replace_signing_keys(&self, known: Option<i64>, document: &str) -> Result<bool> {
        let change = match known {
            None => query(
                "INSERT INTO signing_keys (id, version, document) VALUES (1, 1, ?) ON CONFLICT (id) DO NOTHING",
            )
            .bind(document),
            Some(version) => {
                query("UPDATE signing_keys SET version = version + 1, document = ? WHERE id = 1 AND version = ?")
                    .bind(document)
                    .bind(version)
            }
        };
        Ok(change.execute(&self.writes).await? == 1)
    }
}
