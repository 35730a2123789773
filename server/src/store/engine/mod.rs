//! The two database engines behind [`super::Store`]. Every statement of the store is written once, in the SQL that both understand;
//! here is what differs: how a connection is opened, how parameters are numbered, which locks a transaction takes, and who is told
//! of a change.
//!
//! An enum and not a trait: the state machine of tasks exists once and cannot drift apart between two implementations, and nobody
//! outside of this crate adds a third engine.

mod cells;
pub(super) mod clock;
mod migrations;
pub(super) mod postgres;
mod query;
mod row;
pub(super) mod signals;
mod sqlite;
mod transaction;

pub(super) use cells::{Cells, ColumnKind};
pub(super) use query::query;
pub(super) use row::Row;
pub(super) use sqlite::open as open_sqlite;
pub(super) use transaction::{LockMode, Transaction};

use sqlx::{PgConnection, PgPool, SqliteConnection, SqlitePool};

use super::error::Result;

/// Connections to one of the engines. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) enum Pool {
    /// SQLite.
    Sqlite(SqlitePool),
    /// PostgreSQL.
    Postgres(PgPool),
}

/// Where a statement runs: on any connection of a pool, or in a transaction.
#[derive(Debug)]
pub(super) enum Executor<'c> {
    SqlitePool(&'c SqlitePool),
    Sqlite(&'c mut SqliteConnection),
    PostgresPool(&'c PgPool),
    Postgres(&'c mut PgConnection),
}

impl Pool {
    /// Begins a transaction. In SQLite it holds the write lock from the start; in PostgreSQL it sees what was committed before each
    /// statement, and rows are locked where that matters.
    pub(super) async fn begin(&self) -> Result<Transaction> {
        Ok(match self {
            Self::Sqlite(pool) => Transaction::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(pool) => {
                Transaction::Postgres(pool.begin_with("BEGIN ISOLATION LEVEL READ COMMITTED").await?)
            }
        })
    }

    /// The end of a `SELECT` from one table that locks its rows, and leaves out those that another transaction has locked.
    pub(super) fn for_update_skip_locked(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "",
            Self::Postgres(_) => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// The rows of a parameter that is a JSON array of strings, as a table with the column `value`.
    pub(super) fn list(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "json_each(?)",
            Self::Postgres(_) => "json_array_elements_text(CAST(? AS json)) AS listed (value)",
        }
    }
}

impl<'c> From<&'c Pool> for Executor<'c> {
    fn from(pool: &'c Pool) -> Self {
        match pool {
            Pool::Sqlite(pool) => Self::SqlitePool(pool),
            Pool::Postgres(pool) => Self::PostgresPool(pool),
        }
    }
}

impl<'c> From<&'c mut Transaction> for Executor<'c> {
    fn from(transaction: &'c mut Transaction) -> Self {
        match transaction {
            Transaction::Sqlite(transaction) => Self::Sqlite(transaction),
            Transaction::Postgres(transaction) => Self::Postgres(transaction),
        }
    }
}
