//! Files: created as a record, uploaded once, deleted when they expire.

use filepress_wire::MediaType;

use super::engine::{LockMode, Transaction, query};
use super::error::Result;
use super::records::File;
use super::{Page, PageRequest, Store, rows};
use crate::clock::Timestamp;
use crate::ids;

/// A file to be created.
#[derive(Debug, Clone)]
pub struct NewFile {
    /// The id of an idempotent request: if a file with this id exists, it is returned unchanged. `None`: a new id.
    pub id: Option<String>,
    /// Its owner.
    pub user: String,
    /// The declared type.
    pub format: Option<MediaType>,
    /// The declared size.
    pub size: u64,
    /// When the record is deleted if nothing is uploaded.
    pub expires_at: Timestamp,
}

/// A blob that is to become the content of a file.
#[derive(Debug, Clone)]
pub struct FileContent {
    /// Its name in the blob store.
    pub blob: String,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// The type that was recognized from its first bytes.
    pub sniffed: Option<MediaType>,
}

/// The result of an upload.
#[derive(Debug, Clone, PartialEq)]
pub enum UploadResult {
    /// The file has this content now.
    Kept(File),
    /// The file already has content.
    Taken,
    /// The file does not exist or has expired.
    Gone,
}

impl Store {
    /// Creates the record of a file without content.
    ///
    /// # Errors
    ///
    /// If the user does not exist or the database fails.
    pub async fn add_file(&self, file: NewFile, now: Timestamp) -> Result<File> {
        let mut transaction = self.begin().await?;
        let file = record(&mut transaction, file, now).await?;
        transaction.commit().await?;
        Ok(file)
    }

    /// The file with this id, of any owner; for signed URLs. Includes expired files that are not deleted yet.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn file_by_id(&self, id: &str) -> Result<Option<File>> {
        let row = query("SELECT * FROM files WHERE id = ?").bind(id).fetch_optional(&self.reads).await?;
        row.as_ref().map(rows::file).transpose()
    }

    /// The user's file, if it has not expired.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn file(&self, user: &str, id: &str, now: Timestamp) -> Result<Option<File>> {
        let file = self.file_by_id(id).await?;
        Ok(file.filter(|file| file.user == user && file.expires_at > now))
    }

    /// The user's files that have not expired.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn files(&self, user: &str, page: PageRequest, now: Timestamp) -> Result<Page<File>> {
        page.take(
            |file: &File| file.created_at,
            |range| {
 Box::pin(async move {
                let order = if range.newest_first { "DESC" } else { "ASC" };
                let rows = query(format!(
                    "SELECT * FROM files WHERE user_id = ? AND created_at > ? AND created_at < ? AND expires_at > ?
                     ORDER BY created_at {order} LIMIT ?"
                ))
                .bind(user)
                .bind(range.above)
                .bind(range.below)
                .bind(now.0)
                .bind(range.limit)
                .fetch_all(&self.reads)
                .await?;
                rows.iter().map(rows::file).collect()
})
            },
        )
        .await
    }

    /// The user's files of these ids that have not expired, each once, in any order: the `included` of tasks.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn files_of(&self, user: &str, ids: &[&str], now: Timestamp) -> Result<Vec<File>> {
        let ids = serde_json::Value::from(ids).to_string();
        let rows = query(format!(
            "SELECT * FROM files WHERE id IN (SELECT value FROM {}) AND user_id = ? AND expires_at > ?",
            self.reads.list()
        ))
        .bind(ids)
        .bind(user)
        .bind(now.0)
        .fetch_all(&self.reads)
        .await?;
        rows.iter().map(rows::file).collect()
    }

    /// Sets the content of a file. Of two concurrent calls, one returns [`UploadResult::Kept`].
    ///
    /// # Errors
    ///
    /// If the database fails; the blob is then orphaned.
    pub async fn upload(
        &self,
        id: &str,
        received: FileContent,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<UploadResult> {
        let mut transaction = self.begin().await?;
        let select =
            format!("SELECT * FROM files WHERE id = ?{}", transaction.lock(LockMode::Change, "files"));
        let row = query(select).bind(id).fetch_optional(&mut transaction).await?;
        match row.as_ref().map(rows::file).transpose()? {
            Some(file) if file.expires_at <= now => return Ok(UploadResult::Gone),
            None => return Ok(UploadResult::Gone),
            Some(file) if file.blob.is_some() => return Ok(UploadResult::Taken),
            Some(_) => {}
        }
        let sniffed = received.sniffed.map(MediaType::as_str);
        let row = query(
            "UPDATE files SET blob = ?, size = ?, sha256 = ?, sniffed = ?, format = coalesce(format, ?),
                 uploaded_at = ?, updated_at = ?, expires_at = ?
             WHERE id = ? RETURNING *",
        )
        .bind(received.blob)
        .bind(rows::size(received.size)?)
        .bind(received.sha256)
        .bind(sniffed)
        .bind(sniffed)
        .bind(now.0)
        .bind(now.0)
        .bind(expires_at.0)
        .bind(id)
        .fetch_one(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(UploadResult::Kept(rows::file(&row)?))
    }
}

/// Returns the file of this id if it exists; else creates one without content.
pub(super) async fn record(transaction: &mut Transaction, file: NewFile, now: Timestamp) -> Result<File> {
    let id = file.id.map_or_else(ids::uuid, Ok)?;
    transaction.lock_user(&file.user).await?;
    let known = query("SELECT * FROM files WHERE id = ? AND user_id = ?")
        .bind(&id)
        .bind(&file.user)
        .fetch_optional(&mut *transaction)
        .await?;
    if let Some(row) = known {
        return rows::file(&row);
    }
    let created_at = next_created_at(transaction, &file.user, now).await?;
    let row = query(
        "INSERT INTO files (id, user_id, format, size, public, created_at, updated_at, expires_at)
         VALUES (?, ?, ?, ?, FALSE, ?, ?, ?) RETURNING *",
    )
    .bind(id)
    .bind(file.user)
    .bind(file.format.map(MediaType::as_str))
    .bind(rows::size(file.size)?)
    .bind(created_at)
    .bind(created_at)
    .bind(file.expires_at.0)
    .fetch_one(&mut *transaction)
    .await?;
    rows::file(&row)
}

/// The creation time for a new file of the user, who is locked: later than that of every other file of theirs, even if the clock did
/// not advance. As it is the order of commits too, a cursor never passes a file that is still to come.
pub(super) async fn next_created_at(
    transaction: &mut Transaction,
    user: &str,
    now: Timestamp,
) -> Result<i64> {
    let last: Option<i64> =
        query("SELECT max(created_at) FROM files WHERE user_id = ?").bind(user).scalar(transaction).await?;
    Ok(last.map_or(now.0, |last| now.0.max(last.saturating_add(1))))
}
