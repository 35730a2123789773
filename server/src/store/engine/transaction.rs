//! Transactions, the locks that they take, and the signals that they send when they are committed.
//!
//! In SQLite a transaction has the only write lock, so that every lock below holds anyway. In PostgreSQL transactions run side by
//! side. Locks are taken in this order: the user, the queue, tasks, files; so that no two transactions wait for each other.

use sqlx::{Postgres, Sqlite};

use super::query;
use super::signals::Signal;
use crate::store::error::Result;

/// The key of the advisory lock of the queue's length.
const QUEUE_LOCK: i64 = 0x0066_7071_7565_7565;

/// A transaction; rolled back on drop.
#[derive(Debug)]
pub(in super::super) enum Transaction {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

/// How a `SELECT` locks its rows until the end of the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum LockMode {
    /// Nobody else changes them. Waits for those who have them locked.
    Change,
    /// As [`Self::Change`], but leaves out rows that somebody else has locked.
    ChangeFree,
    /// Nobody deletes them.
    Keep,
}

impl Transaction {
    /// Makes the changes permanent.
    pub(in super::super) async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await?,
            Self::Postgres(transaction) => transaction.commit().await?,
        }
        Ok(())
    }

    /// Whether other transactions may write at the same time.
    pub(in super::super) fn is_shared(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Locks a user until the end: what is counted over their rows, and the last creation time among them, cannot change before this
    /// transaction has written. Rows that refer to the user may still be inserted elsewhere.
    pub(in super::super) async fn lock_user(&mut self, user: &str) -> Result<()> {
        if self.is_shared() {
            let lock = "SELECT id FROM users WHERE id = ? FOR NO KEY UPDATE";
            query(lock).bind(user).fetch_optional(self).await?;
        }
        Ok(())
    }

    /// Locks the length of the queue until the end.
    pub(in super::super) async fn lock_queue(&mut self) -> Result<()> {
        if self.is_shared() {
            query("SELECT pg_advisory_xact_lock(?)").bind(QUEUE_LOCK).execute(self).await?;
        }
        Ok(())
    }

    /// The end of a `SELECT` that locks its rows of a table.
    pub(in super::super) fn lock(&self, mode: LockMode, table: &str) -> String {
        let mode = match mode {
            _ if !self.is_shared() => return String::new(),
            LockMode::Change => (" FOR UPDATE OF ", ""),
            LockMode::ChangeFree => (" FOR UPDATE OF ", " SKIP LOCKED"),
            LockMode::Keep => (" FOR KEY SHARE OF ", ""),
        };
        [mode.0, table, mode.1].concat()
    }

    /// Tells every process of the service when this is committed.
    pub(in super::super) async fn notify(&mut self, signal: Signal) -> Result<()> {
        if self.is_shared() {
            query("SELECT pg_notify(?, '')").bind(signal.channel()).execute(self).await?;
        }
        Ok(())
    }
}
