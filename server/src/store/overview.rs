//! What the operator sees: the tasks and keys of all users, and what is stored.

use super::engine::query;
use super::error::Result;
use super::keys::SELECT_KEYS;
use super::records::{Key, Status, Task, User};
use super::{Store, rows};
use crate::clock::Timestamp;

/// Where a page of a list begins: after the item of this creation time and id. Items of different users may have the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListCursor {
    /// When the item was created.
    pub created_at: Timestamp,
    /// Its id.
    pub id: String,
}

/// What the files of all users take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stored {
    /// Files with content.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files that wait for their content.
    pub awaited: u64,
    /// Owners of keys.
    pub users: u64,
}

impl ListCursor {
    /// The position before the newest item: nothing is created later.
    fn start() -> Self {
        Self { created_at: Timestamp(i64::MAX), id: String::new() }
    }
}

impl Store {
    /// At most `limit` tasks of all users, newest first, each with the e-mail address of its owner; with `status` only those.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn all_tasks(
        &self,
        status: Option<Status>,
        after: Option<ListCursor>,
        limit: u32,
    ) -> Result<Vec<(Task, String)>> {
        let after = after.unwrap_or_else(ListCursor::start);
        // The index of unfinished tasks helps only if the condition is there.
        let of_status = match status {
            None => "? = ''",
            Some(status) if status.is_terminal() => "tasks.status = ?",
            Some(_) => "tasks.status = ? AND tasks.ready_at IS NOT NULL",
        };
        let rows = query(format!(
            "SELECT tasks.*, users.email FROM tasks JOIN users ON users.id = tasks.user_id
             WHERE {of_status} AND (tasks.created_at, tasks.id) < (?, ?)
             ORDER BY tasks.created_at DESC, tasks.id DESC LIMIT ?"
        ))
        .bind(status.map_or("", Status::as_str))
        .bind(after.created_at.0)
        .bind(&after.id)
        .bind(limit)
        .fetch_all(&self.reads)
        .await?;
        rows.iter().map(|row| Ok((rows::task(row)?, row.get("email")?))).collect()
    }

    /// At most `limit` keys with their owners, newest first.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn some_keys(&self, after: Option<ListCursor>, limit: u32) -> Result<Vec<(Key, User)>> {
        let after = after.unwrap_or_else(ListCursor::start);
        let rows = query(format!(
            "{SELECT_KEYS} WHERE (keys.created_at, keys.id) < (?, ?) ORDER BY keys.created_at DESC, keys.id DESC LIMIT ?"
        ))
        .bind(after.created_at.0)
        .bind(&after.id)
        .bind(limit)
        .fetch_all(&self.reads)
        .await?;
        rows.iter().map(|row| Ok((rows::key(row)?, rows::owner(row)?))).collect()
    }

    /// What is stored.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn stored(&self) -> Result<Stored> {
        let row = query(
            "SELECT count(*) FILTER (WHERE blob IS NOT NULL) AS files,
                 CAST(coalesce(sum(size) FILTER (WHERE blob IS NOT NULL), 0) AS BIGINT) AS bytes,
                 count(*) FILTER (WHERE blob IS NULL) AS awaited, (SELECT count(*) FROM users) AS users
             FROM files",
        )
        .fetch_one(&self.reads)
        .await?;
        Ok(Stored {
            files: row.count("files")?,
            bytes: row.count("bytes")?,
            awaited: row.count("awaited")?,
            users: row.count("users")?,
        })
    }
}
