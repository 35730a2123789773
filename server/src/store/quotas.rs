//! Quotas of a user: stored bytes, and processor time per day.

use std::time::Duration;

use super::engine::{Executor, query};
use super::error::Result;
use super::files::{NewFile, record};
use super::records::File;
use super::{Store, rows};
use crate::clock::Timestamp;

/// Nanoseconds of a day.
const DAY: i64 = 86_400_000_000_000;

/// The result of creating a file under a quota.
#[derive(Debug, Clone, PartialEq)]
pub enum DeclareResult {
    /// It was created.
    File(File),
    /// The quota is exhausted until this time, when enough files will have expired; `None`: the file is larger than the quota.
    Full(Option<Timestamp>),
}

impl Store {
    /// Creates a file without content unless the declared and stored bytes of the user would exceed `max`. It is one transaction, so
    /// concurrent calls cannot exceed the quota.
    ///
    /// # Errors
    ///
    /// If the user does not exist or the database fails.
    pub async fn declare(&self, file: NewFile, max: u64, now: Timestamp) -> Result<DeclareResult> {
        let mut transaction = self.begin().await?;
        transaction.lock_user(&file.user).await?;
        let (size, max) = (rows::size(file.size)?, i64::try_from(max).unwrap_or(i64::MAX));
        let known = match &file.id {
            Some(id) => query("SELECT id FROM files WHERE id = ? AND user_id = ?")
                .bind(id)
                .bind(&file.user)
                .fetch_optional(&mut transaction)
                .await?
                .is_some(),
            None => false,
        };
        if !known {
            let stored = stored_bytes(&mut transaction, &file.user, now).await?;
            let over = stored.saturating_add(size).saturating_sub(max);
            if over > 0 {
                return Ok(DeclareResult::Full(free_at(&mut transaction, &file.user, over, now).await?));
            }
        }
        let file = record(&mut transaction, file, now).await?;
        transaction.commit().await?;
        Ok(DeclareResult::File(file))
    }

    /// The bytes that a user may still store, of `max` in all.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn storage_left(&self, user: &str, max: u64, now: Timestamp) -> Result<u64> {
        let stored = stored_bytes(&self.reads, user, now).await?;
        Ok(max.saturating_sub(u64::try_from(stored).unwrap_or(0)))
    }

    /// When the first of the user's files expires that has not; `None` without files.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn first_expiry(&self, user: &str, now: Timestamp) -> Result<Option<Timestamp>> {
        free_at(&self.reads, user, 1, now).await
    }

    /// Adds processor time to the user's current day.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn charge(&self, user: &str, time: Duration, now: Timestamp) -> Result<()> {
        query(
            "INSERT INTO processing (day, user_id, milliseconds) VALUES (?, ?, ?)
             ON CONFLICT (day, user_id) DO UPDATE SET milliseconds = processing.milliseconds + excluded.milliseconds",
        )
        .bind(day(now))
        .bind(user)
        .bind(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
        .execute(&self.writes)
        .await?;
        Ok(())
    }

    /// The processor time that the user has used today (UTC), and when the next day begins.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn charged(&self, user: &str, now: Timestamp) -> Result<(Duration, Timestamp)> {
        let day = day(now);
        let charged: Option<i64> = query("SELECT milliseconds FROM processing WHERE day = ? AND user_id = ?")
            .bind(day)
            .bind(user)
            .scalar_optional(&self.reads)
            .await?;
        let charged = Duration::from_millis(u64::try_from(charged.unwrap_or(0)).unwrap_or(0));
        Ok((charged, Timestamp((day + 1).saturating_mul(DAY))))
    }

    /// Deletes the records of days before yesterday.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn sweep_charges(&self, now: Timestamp) -> Result<()> {
        query("DELETE FROM processing WHERE day < ?").bind(day(now) - 1).execute(&self.writes).await?;
        Ok(())
    }
}

/// The number of the day (UTC).
pub(super) fn day(now: Timestamp) -> i64 {
    now.0.div_euclid(DAY)
}

/// The bytes of the user's files that have not expired, inputs and outputs together.
async fn stored_bytes(executor: impl Into<Executor<'_>>, user: &str, now: Timestamp) -> Result<i64> {
    let sum = "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM files WHERE user_id = ? AND expires_at > ?";
    query(sum).bind(user).bind(now.0).scalar(executor).await
}

/// When so many bytes of the user will have expired.
async fn free_at(
    executor: impl Into<Executor<'_>>,
    user: &str,
    bytes: i64,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let at: Option<i64> = query(
        "SELECT min(expires_at) FROM (
             SELECT expires_at, sum(size) OVER (ORDER BY expires_at) AS freed FROM files WHERE user_id = ? AND expires_at > ?
         ) AS expiring WHERE freed >= ?",
    )
    .bind(user)
    .bind(now.0)
    .bind(bytes)
    .scalar(executor)
    .await?;
    Ok(at.map(Timestamp))
}
