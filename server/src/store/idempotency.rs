//! Idempotency keys and the resources that their requests created, kept for 24 h. A repeated response is built from the resource, with
//! fresh links. The id of the resource is chosen before it is created, so that a request that was interrupted by a crash or a full disk
//! does not create a second one when it is retried.

use std::time::Duration;

use super::engine::query;
use super::error::Result;
use super::{Store, StoreError};
use crate::clock::Timestamp;
use crate::ids;

/// How long a key is kept.
pub(super) const KEY_LIFETIME: Duration = Duration::from_secs(24 * 3600);
/// How long a request counts as in progress. After that it is taken for interrupted, and done again when it is repeated; if it is only
/// slow, both find the same resource. A different request makes another one, and the slow one cannot end it. The retries of a client have
/// to last longer.
const IN_FLIGHT_TIMEOUT: Duration = Duration::from_secs(4);

/// What an Idempotency-Key means for a request.
#[derive(Debug, Clone, PartialEq)]
pub enum IdempotencyCheck {
    /// Not completed before: create the resource with this id, then call [`Store::complete_idempotent`] or
    /// [`Store::abort_idempotent`].
    First(String),
    /// Completed before by the same request, which created the resource with this id.
    Replay(String),
    /// Used before for a different request.
    Mismatch,
    /// The same request is still in progress.
    InFlight,
}

impl Store {
    /// Begins a request with an idempotency key of the user; `request` is the SHA-256 of method, path and body.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn begin_idempotent(
        &self,
        user: &str,
        key: &str,
        request: &[u8; 32],
        now: Timestamp,
    ) -> Result<IdempotencyCheck> {
        let mut transaction = self.begin().await?;
        transaction.lock_user(user).await?;
        let known = query("SELECT * FROM answers WHERE user_id = ? AND key = ? AND created_at > ?")
            .bind(user)
            .bind(key)
            .bind(now.before(KEY_LIFETIME).0)
            .fetch_optional(&mut transaction)
            .await?;
        let mut made = ids::uuid()?;
        if let Some(row) = known {
            let same = row.get::<&[u8]>("request")? == request;
            let status = row.get::<Option<i64>>("status")?;
            let busy = status.is_none() && row.get::<i64>("busy_until")? > now.0;
            match status {
                _ if !same && (busy || status.is_some()) => return Ok(IdempotencyCheck::Mismatch),
                Some(_) => return Ok(IdempotencyCheck::Replay(row.get("made")?)),
                None if busy => return Ok(IdempotencyCheck::InFlight),
                None if same => made = row.get("made")?,
                None => {}
            }
        }
        query(
            "INSERT INTO answers (user_id, key, request, made, created_at, busy_until) VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (user_id, key) DO UPDATE SET request = excluded.request, made = excluded.made,
                 created_at = excluded.created_at, busy_until = excluded.busy_until, status = NULL",
        )
        .bind(user)
        .bind(key)
        .bind(request.as_slice())
        .bind(&made)
        .bind(now.0)
        .bind(now.after(IN_FLIGHT_TIMEOUT).0)
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(IdempotencyCheck::First(made))
    }

    /// Marks the request of a key, which has made the resource with this id, as completed with this status.
    ///
    /// # Errors
    ///
    /// If [`Store::begin_idempotent`] did not give this id for the key, or another request has taken the key since, or the database fails.
    pub async fn complete_idempotent(&self, user: &str, key: &str, made: &str, status: u16) -> Result<()> {
        let done = query("UPDATE answers SET status = ? WHERE user_id = ? AND key = ? AND made = ?")
            .bind(u32::from(status))
            .bind(user)
            .bind(key)
            .bind(made)
            .execute(&self.writes)
            .await?;
        match done {
            0 => Err(StoreError::Row("no request with this idempotency key is in progress".to_owned())),
            _ => Ok(()),
        }
    }

    /// Frees a key whose request failed, so that it can be used again. `made` is the id that the request was given: if another request
    /// has taken the key since, nothing is done.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn abort_idempotent(&self, user: &str, key: &str, made: &str) -> Result<()> {
        query(
            "UPDATE answers SET busy_until = 0 WHERE user_id = ? AND key = ? AND made = ? AND status IS NULL",
        )
        .bind(user)
        .bind(key)
        .bind(made)
        .execute(&self.writes)
        .await?;
        Ok(())
    }
}
