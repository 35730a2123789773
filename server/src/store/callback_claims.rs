//! Which callback is called next, and which is given up. What limits the calls is counted in the database: a server that was killed has
//! called too.

use std::time::Duration;

use super::Store;
use super::callbacks::CallbackClaim;
use super::engine::{Executor, LockMode, Row, Transaction, query};
use super::error::Result;
use crate::clock::Timestamp;

/// Attempts in all. Those that were claimed and not ended count, as the URL may have been called.
pub const MAX_CALLBACK_ATTEMPTS: u32 = 10;
/// No attempt begins later than this after the end of the task.
pub const MAX_CALLBACK_AGE: Duration = Duration::from_secs(24 * 3600);
/// The failure of a callback whose attempts have all been interrupted.
const INTERRUPTED: &str = "interrupted";
/// Callbacks of a user that are called at once, by all processes together. A user whose receiver is slow does not hold up others.
const PER_USER: i64 = 4;

impl Store {
    /// Claims the callback that has been due for longest, of a user who has fewer than four claimed. `attempt` grows by one. One that has
    /// had all its attempts, or whose time is over, becomes FAILED: its last attempt was interrupted, or no server was there in time.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn claim_callback(
        &self,
        worker: &str,
        lease: Duration,
        now: Timestamp,
    ) -> Result<Option<CallbackClaim>> {
        // Almost always there is none, and nothing need be locked to find that out.
        while let Some(user) = due_user(&self.reads, now).await? {
            let mut transaction = self.begin().await?;
            // Else two processes would count the same claims of the user, and both add one.
            transaction.lock_user(&user).await?;
            let Some(claim) = due(&mut transaction, &user, now).await? else { continue };
            let is_over =
                claim.attempt > MAX_CALLBACK_ATTEMPTS || now.since(claim.ended_at) > MAX_CALLBACK_AGE;
            if is_over {
                give_up(&mut transaction, &claim, now).await?;
            } else {
                take(&mut transaction, &claim, worker, lease, now).await?;
            }
            transaction.commit().await?;
            if !is_over {
                return Ok(Some(claim));
            }
        }
        Ok(None)
    }
}

/// SQL: the callbacks that are due, of users who have fewer than [`PER_USER`] claimed. Binds the time and [`PER_USER`].
macro_rules! from_due {
    () => {
        " FROM callbacks JOIN tasks ON tasks.id = callbacks.task WHERE callbacks.ready_at <= ?1 AND (
             SELECT count(*) FROM callbacks AS held
             WHERE held.user_id = callbacks.user_id AND held.status = 'PENDING' AND held.worker IS NOT NULL AND held.ready_at > ?1
         ) < ?2"
    };
}

/// Whose callback has been due for longest.
async fn due_user(on: impl Into<Executor<'_>>, now: Timestamp) -> Result<Option<String>> {
    let select = concat!("SELECT callbacks.user_id", from_due!(), " ORDER BY callbacks.ready_at LIMIT 1");
    query(select).bind(now.0).bind(PER_USER).scalar_optional(on).await
}

/// The callback of the user, who is locked, that has been due for longest, as its next claim.
async fn due(transaction: &mut Transaction, user: &str, now: Timestamp) -> Result<Option<CallbackClaim>> {
    let select = concat!(
        "SELECT callbacks.*, tasks.processed_at AS ended_at",
        from_due!(),
        " AND callbacks.user_id = ?3 ORDER BY callbacks.ready_at LIMIT 1"
    );
    let lock = transaction.lock(LockMode::Change, "callbacks");
    let row = query(format!("{select}{lock}"))
        .bind(now.0)
        .bind(PER_USER)
        .bind(user)
        .fetch_optional(transaction)
        .await?;
    let claim = |row: &Row| {
        Ok(CallbackClaim {
            id: row.get("id")?,
            task: row.get("task")?,
            user: row.get("user_id")?,
            url: row.get("url")?,
            attempt: row.count::<u32>("attempt")?.saturating_add(1),
            ended_at: Timestamp(row.get::<Option<i64>>("ended_at")?.unwrap_or(now.0)),
        })
    };
    row.as_ref().map(claim).transpose()
}

async fn take(
    transaction: &mut Transaction,
    claim: &CallbackClaim,
    worker: &str,
    lease: Duration,
    now: Timestamp,
) -> Result<()> {
    query("UPDATE callbacks SET worker = ?, attempt = ?, ready_at = ?, updated_at = ? WHERE id = ?")
        .bind(worker)
        .bind(claim.attempt)
        .bind(now.after(lease).0)
        .bind(now.0)
        .bind(&claim.id)
        .execute(transaction)
        .await?;
    Ok(())
}

/// Ends a callback that may not be claimed any more. What is known of the last attempt that was ended stays.
async fn give_up(transaction: &mut Transaction, claim: &CallbackClaim, now: Timestamp) -> Result<()> {
    query(
        "UPDATE callbacks SET status = 'FAILED', failure = coalesce(failure, ?), worker = NULL, ready_at = NULL, updated_at = ?
         WHERE id = ?",
    )
    .bind(INTERRUPTED)
    .bind(now.0)
    .bind(&claim.id)
    .execute(transaction)
    .await?;
    Ok(())
}
