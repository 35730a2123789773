//! Files: declared, then given bytes once, then gone when their time is over.

use filepress_wire::MediaType;
use sqlx::SqliteConnection;

use super::error::Result;
use super::records::File;
use super::{Page, PageRequest, Store, rows};
use crate::clock::Timestamp;
use crate::ids;

/// A file to be recorded.
#[derive(Debug, Clone)]
pub struct NewFile {
    /// Its id where the request may come again: if there is one of this id it stays as it is. None: a new one.
    pub id: Option<String>,
    /// Whose it is.
    pub user: String,
    /// The declared type.
    pub format: Option<MediaType>,
    /// The declared size.
    pub size: u64,
    /// When it is deleted if nothing is uploaded.
    pub expires_at: Timestamp,
}

/// Bytes that lie in the blobs and are to become those of a file.
#[derive(Debug, Clone)]
pub struct FileContent {
    /// Their name in the blobs.
    pub blob: String,
    /// How many.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// What they were recognized as.
    pub sniffed: Option<MediaType>,
}

/// What became of bytes.
#[derive(Debug, Clone, PartialEq)]
pub enum UploadResult {
    /// They are the file's now.
    Kept(File),
    /// The file has bytes already.
    Taken,
    /// There is no such file (any more).
    Gone,
}

impl Store {
    /// Records a file without bytes.
    ///
    /// # Errors
    ///
    /// Where the user does not exist or the database fails.
    pub async fn add_file(&self, file: NewFile, now: Timestamp) -> Result<File> {
        let mut transaction = self.begin().await?;
        let file = record(&mut transaction, file, now).await?;
        transaction.commit().await?;
        Ok(file)
    }

    /// The file with this id, whoever owns it; for signed URLs. Expired ones too, until they are swept.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn file_by_id(&self, id: &str) -> Result<Option<File>> {
        let row =
            sqlx::query("SELECT * FROM files WHERE id = ?").bind(id).fetch_optional(&self.reads).await?;
        row.as_ref().map(rows::file).transpose()
    }

    /// The user's file, if it has not expired.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn file(&self, user: &str, id: &str, now: Timestamp) -> Result<Option<File>> {
        let file = self.file_by_id(id).await?;
        Ok(file.filter(|file| file.user == user && file.expires_at > now))
    }

    /// The user's files that have not expired.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn files(&self, user: &str, page: PageRequest, now: Timestamp) -> Result<Page<File>> {
        page.take(
            |file: &File| file.created_at,
            |range| {
 Box::pin(async move {
                let order = if range.newest_first { "DESC" } else { "ASC" };
                let rows = sqlx::query(&format!(
                    "SELECT * FROM files WHERE user = ? AND created_at > ? AND created_at < ? AND expires_at > ?
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
    /// Where the database fails.
    pub async fn files_of(&self, user: &str, ids: &[&str], now: Timestamp) -> Result<Vec<File>> {
        let ids = serde_json::Value::from(ids).to_string();
        let rows = sqlx::query(
            "SELECT * FROM files WHERE id IN (SELECT value FROM json_each(?)) AND user = ? AND expires_at > ?",
        )
        .bind(ids)
        .bind(user)
        .bind(now.0)
        .fetch_all(&self.reads)
        .await?;
        rows.iter().map(rows::file).collect()
    }

    /// Gives bytes to a file that awaits them. Of two at once, one is [`UploadResult::Kept`].
    ///
    /// # Errors
    ///
    /// Where the database fails; the bytes are then nobody's.
    pub async fn upload(
        &self,
        id: &str,
        received: FileContent,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<UploadResult> {
        let mut transaction = self.begin().await?;
        let row = sqlx::query("SELECT * FROM files WHERE id = ?")
            .bind(id)
            .fetch_optional(&mut *transaction)
            .await?;
        match row.as_ref().map(rows::file).transpose()? {
            Some(file) if file.expires_at <= now => return Ok(UploadResult::Gone),
            None => return Ok(UploadResult::Gone),
            Some(file) if file.blob.is_some() => return Ok(UploadResult::Taken),
            Some(_) => {}
        }
        let sniffed = received.sniffed.map(MediaType::as_str);
        let row = sqlx::query(
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
        .fetch_one(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(UploadResult::Kept(rows::file(&row)?))
    }
}

/// The file of this id where there is one, else a new one without bytes.
pub(super) async fn record(connection: &mut SqliteConnection, file: NewFile, now: Timestamp) -> Result<File> {
    let id = file.id.map_or_else(ids::uuid, Ok)?;
    let known = sqlx::query("SELECT * FROM files WHERE id = ? AND user = ?")
        .bind(&id)
        .bind(&file.user)
        .fetch_optional(&mut *connection)
        .await?;
    if let Some(row) = known {
        return rows::file(&row);
    }
    let created_at = next_created_at(connection, &file.user, now).await?;
    let row = sqlx::query(
        "INSERT INTO files (id, user, format, size, public, created_at, updated_at, expires_at)
         VALUES (?, ?, ?, ?, FALSE, ?, ?, ?) RETURNING *",
    )
    .bind(id)
    .bind(file.user)
    .bind(file.format.map(MediaType::as_str))
    .bind(rows::size(file.size)?)
    .bind(created_at)
    .bind(created_at)
    .bind(file.expires_at.0)
    .fetch_one(&mut *connection)
    .await?;
    rows::file(&row)
}

/// When a file of the user that is recorded now was made: later than any other of theirs, even where the clock stood still.
pub(super) async fn next_created_at(
    connection: &mut SqliteConnection,
    user: &str,
    now: Timestamp,
) -> Result<i64> {
    let last: Option<i64> = sqlx::query_scalar("SELECT max(created_at) FROM files WHERE user = ?")
        .bind(user)
        .fetch_one(connection)
        .await?;
    Ok(last.map_or(now.0, |last| now.0.max(last.saturating_add(1))))
}
