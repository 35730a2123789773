//! What requests with an Idempotency-Key have made, for 24 h: the answer is made anew from it, with fresh links. A request that was cut off before it was answered for,
//! whether by a kill or by a full disk, makes nothing twice either: what it makes has an id that was chosen before.

use std::time::Duration;

use sqlx::Row;

use super::error::Result;
use super::{Store, StoreError};
use crate::clock::Timestamp;
use crate::ids;

/// How long an answer is kept.
pub(super) const KEY_LIFETIME: Duration = Duration::from_secs(24 * 3600);
/// How long a request may be under way; then its client went away before it was answered, and the key is free again.
const IN_FLIGHT_TIMEOUT: Duration = Duration::from_secs(60);

/// What an Idempotency-Key means for a request.
#[derive(Debug, Clone, PartialEq)]
pub enum IdempotencyCheck {
    /// Never answered: go on, give what is made this id, then [`Store::complete_idempotent`] or [`Store::abort_idempotent`].
    First(String),
    /// Seen with the same request: it made this id.
    Replay(String),
    /// Seen with another request.
    Mismatch,
    /// The same is under way.
    InFlight,
}

impl Store {
    /// What this Idempotency-Key of the user means for a request whose SHA-256 (method, path, body) is `request`.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn begin_idempotent(
        &self,
        user: &str,
        key: &str,
        request: &[u8; 32],
        now: Timestamp,
    ) -> Result<IdempotencyCheck> {
        let mut transaction = self.begin().await?;
        let known = sqlx::query("SELECT * FROM answers WHERE user = ? AND key = ? AND created_at > ?")
            .bind(user)
            .bind(key)
            .bind(now.before(KEY_LIFETIME).0)
            .fetch_optional(&mut *transaction)
            .await?;
        let mut made = ids::uuid()?;
        if let Some(row) = known {
            let same = row.try_get::<&[u8], _>("request")? == request;
            let status = row.try_get::<Option<u16>, _>("status")?;
            let busy = status.is_none() && row.try_get::<i64, _>("busy_until")? > now.0;
            match status {
                _ if !same && (busy || status.is_some()) => return Ok(IdempotencyCheck::Mismatch),
                Some(_) => return Ok(IdempotencyCheck::Replay(row.try_get("made")?)),
                None if busy => return Ok(IdempotencyCheck::InFlight),
                None if same => made = row.try_get("made")?,
                None => {}
            }
        }
        sqlx::query(
            "INSERT OR REPLACE INTO answers (user, key, request, made, created_at, busy_until)
             VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(user)
        .bind(key)
        .bind(request.as_slice())
        .bind(&made)
        .bind(now.0)
        .bind(now.after(IN_FLIGHT_TIMEOUT).0)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(IdempotencyCheck::First(made))
    }

    /// Notes that the request was answered, and with which status.
    ///
    /// # Errors
    ///
    /// Where the key was not announced by [`Store::begin_idempotent`], or the database fails.
    pub async fn complete_idempotent(&self, user: &str, key: &str, status: u16) -> Result<()> {
        let done = sqlx::query("UPDATE answers SET status = ? WHERE user = ? AND key = ?")
            .bind(status)
            .bind(user)
            .bind(key)
            .execute(&self.writes)
            .await?;
        match done.rows_affected() {
            0 => Err(StoreError::Row("no such key is under way".to_owned())),
            _ => Ok(()),
        }
    }

    /// Lets go of a key whose request had no lasting answer: it may come again, or another with this key.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn abort_idempotent(&self, user: &str, key: &str) -> Result<()> {
        sqlx::query("UPDATE answers SET busy_until = 0 WHERE user = ? AND key = ? AND status IS NULL")
            .bind(user)
            .bind(key)
            .execute(&self.writes)
            .await?;
        Ok(())
    }
}
