//! How far resumable uploads are. The bytes are in the blob store; here is how many of them survive a crash, and where they are.
//!
//! Requests for one upload may come to several servers. Each takes a claim, which ends the claim before it: only the last one may record
//! something.

use super::engine::{Executor, Row, Transaction, query};
use super::error::Result;
use super::{Store, rows};
use crate::upload_state::{ObjectUpload, UploadState};

/// The right to record how far an upload is, until somebody else has claimed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadClaim {
    file: String,
    number: i64,
}

/// What is left of an upload that is complete or was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedUpload {
    /// The id of its file.
    pub file: String,
    /// Where its bytes are, if an object store has them.
    pub objects: Option<ObjectUpload>,
    /// They have become the content of the file.
    pub is_complete: bool,
}

impl Store {
    /// Claims an upload, and says how far it is; `None` if the file is gone or has its content.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn claim_upload(&self, file: &str) -> Result<Option<(UploadClaim, UploadState)>> {
        let mut transaction = self.begin().await?;
        let row = query(
            "INSERT INTO upload_states (file, claim) SELECT id, 1 FROM files WHERE id = ? AND blob IS NULL
             ON CONFLICT (file) DO UPDATE SET claim = upload_states.claim + 1
             RETURNING *",
        )
        .bind(file)
        .fetch_optional(&mut transaction)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let claim = UploadClaim { file: file.to_owned(), number: row.get("claim")? };
        let received = received(&mut transaction, file).await?;
        let objects = match objects(&row)? {
            Some(objects) => {
                let parts = query("SELECT id FROM upload_parts WHERE file = ? ORDER BY number").bind(file);
                Some(ObjectUpload { parts: parts.scalars(&mut transaction).await?, ..objects })
            }
            None => None,
        };
        transaction.commit().await?;
        Ok(Some((claim, UploadState { received, objects })))
    }

    /// How many bytes of an upload were recorded.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn received(&self, file: &str) -> Result<u64> {
        received(&self.reads, file).await
    }

    /// Records how far an upload is; false if the claim has ended, or the file is gone or has its content. Parts only ever come to those
    /// that were recorded, except when there are none any more.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn record_upload(&self, claim: &UploadClaim, state: &UploadState) -> Result<bool> {
        let mut transaction = self.begin().await?;
        let objects = state.objects.as_ref();
        let held = query(
            "UPDATE upload_states SET name = ?, multipart = ?, hash = ?, rest = ? WHERE file = ? AND claim = ?",
        )
        .bind(objects.map(|objects| objects.name.as_str()))
        .bind(objects.and_then(|objects| objects.multipart.as_deref()))
        .bind(objects.map(|objects| objects.hash.as_str()))
        .bind(objects.and_then(|objects| objects.rest.as_deref()))
        .bind(&claim.file)
        .bind(claim.number)
        .execute(&mut transaction)
        .await?;
        let recorded = held == 1
            && query(
                "INSERT INTO uploads (file, received) SELECT id, ?1 FROM files WHERE id = ?2 AND blob IS NULL
                 ON CONFLICT (file) DO UPDATE SET received = excluded.received",
            )
            .bind(rows::size(state.received)?)
            .bind(&claim.file)
            .execute(&mut transaction)
            .await?
                == 1;
        if !recorded {
            return Ok(false);
        }
        add_parts(&mut transaction, &claim.file, objects.map_or(&[], |objects| &objects.parts)).await?;
        transaction.commit().await?;
        Ok(true)
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

    /// Some of the uploads whose file does not wait for content, or only the one of this file.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn ended_uploads(&self, file: Option<&str>) -> Result<Vec<EndedUpload>> {
        let rows = query(
            "SELECT upload_states.*, EXISTS (
                 SELECT 1 FROM files WHERE files.id = upload_states.file AND files.blob = upload_states.name
             ) AS is_complete
             FROM upload_states
             WHERE (?1 = '' OR file = ?1) AND NOT EXISTS (SELECT 1 FROM files WHERE id = upload_states.file AND blob IS NULL)
             LIMIT 500",
        )
        .bind(file.unwrap_or_default())
        .fetch_all(&self.reads)
        .await?;
        let ended = |row: &Row| {
            Ok(EndedUpload {
                file: row.get("file")?,
                objects: objects(row)?,
                is_complete: row.get("is_complete")?,
            })
        };
        rows.iter().map(ended).collect()
    }

    /// Forgets an upload of which nothing is left.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn forget_upload(&self, file: &str) -> Result<()> {
        query("DELETE FROM upload_states WHERE file = ?").bind(file).execute(&self.writes).await?;
        Ok(())
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

/// Where the bytes are, without the parts.
fn objects(row: &Row) -> Result<Option<ObjectUpload>> {
    let Some(name) = row.get::<Option<String>>("name")? else { return Ok(None) };
    Ok(Some(ObjectUpload {
        name,
        multipart: row.get("multipart")?,
        parts: Vec::new(),
        hash: row.get::<Option<String>>("hash")?.unwrap_or_default(),
        rest: row.get("rest")?,
    }))
}

async fn received(on: impl Into<Executor<'_>>, file: &str) -> Result<u64> {
    let received: Option<i64> =
        query("SELECT received FROM uploads WHERE file = ?").bind(file).scalar_optional(on).await?;
    Ok(received.and_then(|received| u64::try_from(received).ok()).unwrap_or(0))
}

/// Adds the parts that were not recorded; deletes all if there are none.
async fn add_parts(transaction: &mut Transaction, file: &str, parts: &[String]) -> Result<()> {
    if parts.is_empty() {
        query("DELETE FROM upload_parts WHERE file = ?").bind(file).execute(transaction).await?;
        return Ok(());
    }
    let known: i64 = query("SELECT count(*) FROM upload_parts WHERE file = ?")
        .bind(file)
        .scalar(&mut *transaction)
        .await?;
    for (number, id) in (1_i64..).zip(parts).skip(usize::try_from(known).unwrap_or(0)) {
        let insert = query("INSERT INTO upload_parts (file, number, id) VALUES (?, ?, ?)");
        insert.bind(file).bind(number).bind(id).execute(&mut *transaction).await?;
    }
    Ok(())
}
