//! A statement with its parameters, for either engine. Parameters are written as in SQLite: `?`, or `?1`, `?2` and so on.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::Duration;

use sqlx::postgres::{PgArguments, Postgres};
use sqlx::sqlite::{Sqlite, SqliteArguments};
use tokio::time::timeout;

use super::Executor;
use super::row::{Cell, Row};
use crate::store::StoreError;
use crate::store::error::Result;

/// How long a statement may take in PostgreSQL, its way there and back included. A connection that was cut without a word would
/// else be waited for until the system gives it up, which takes a quarter of an hour.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);

/// A statement with its parameters.
#[derive(Debug)]
pub(in super::super) struct Query<'q> {
    sql: Cow<'q, str>,
    values: Vec<Value<'q>>,
}

/// A parameter; `None` is NULL.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in super::super) enum Value<'q> {
    Text(Option<Cow<'q, str>>),
    Integer(Option<i64>),
    Bytes(Cow<'q, [u8]>),
    Boolean(bool),
}

/// A statement without parameters yet.
pub(in super::super) fn query<'q>(sql: impl Into<Cow<'q, str>>) -> Query<'q> {
    Query { sql: sql.into(), values: Vec::new() }
}

/// Runs a method of sqlx's query on the executor and wraps what it gives.
macro_rules! run {
    ($self:ident, $on:ident, $method:ident, $wrap_sqlite:expr, $wrap_postgres:expr) => {
        match $on.into() {
            Executor::SqlitePool(pool) => Ok($self.sqlite().$method(pool).await.map($wrap_sqlite)?),
            Executor::Sqlite(connection) => Ok($self.sqlite().$method(connection).await.map($wrap_sqlite)?),
            Executor::PostgresPool(pool) => {
                let sql = $self.numbered();
                in_time($self.postgres(&sql).$method(pool)).await.map($wrap_postgres)
            }
            Executor::Postgres(connection) => {
                let sql = $self.numbered();
                in_time($self.postgres(&sql).$method(connection)).await.map($wrap_postgres)
            }
        }
    };
}

impl<'q> Query<'q> {
    /// Adds a parameter.
    pub(in super::super) fn bind(mut self, value: impl Into<Value<'q>>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Runs it and gives the number of rows that it changed.
    pub(in super::super) async fn execute<'c>(self, on: impl Into<Executor<'c>>) -> Result<u64> {
        run!(self, on, execute, |done| done.rows_affected(), |done| done.rows_affected())
    }

    /// The first row, if there is one.
    pub(in super::super) async fn fetch_optional<'c>(
        self,
        on: impl Into<Executor<'c>>,
    ) -> Result<Option<Row>> {
        run!(self, on, fetch_optional, |row| row.map(Row::Sqlite), |row| row.map(Row::Postgres))
    }

    /// The first row; an error if there is none.
    pub(in super::super) async fn fetch_one<'c>(self, on: impl Into<Executor<'c>>) -> Result<Row> {
        run!(self, on, fetch_one, Row::Sqlite, Row::Postgres)
    }

    /// All rows.
    pub(in super::super) async fn fetch_all<'c>(self, on: impl Into<Executor<'c>>) -> Result<Vec<Row>> {
        run!(self, on, fetch_all, |rows| rows.into_iter().map(Row::Sqlite).collect(), |rows| rows
            .into_iter()
            .map(Row::Postgres)
            .collect())
    }

    /// The first column of the first row; an error if there is none.
    pub(in super::super) async fn scalar<'c, T: for<'r> Cell<'r>>(
        self,
        on: impl Into<Executor<'c>>,
    ) -> Result<T> {
        self.fetch_one(on).await?.first()
    }

    /// The first column of the first row, if there is one.
    pub(in super::super) async fn scalar_optional<'c, T: for<'r> Cell<'r>>(
        self,
        on: impl Into<Executor<'c>>,
    ) -> Result<Option<T>> {
        self.fetch_optional(on).await?.map(|row| row.first()).transpose()
    }

    /// The first column of every row.
    pub(in super::super) async fn scalars<'c, T: for<'r> Cell<'r>>(
        self,
        on: impl Into<Executor<'c>>,
    ) -> Result<Vec<T>> {
        self.fetch_all(on).await?.iter().map(Row::first).collect()
    }

    fn sqlite(&self) -> sqlx::query::Query<'_, Sqlite, SqliteArguments<'_>> {
        self.values.iter().fold(sqlx::query(&self.sql), |query, value| match value {
            Value::Text(text) => query.bind(text.as_deref()),
            Value::Integer(integer) => query.bind(*integer),
            Value::Bytes(bytes) => query.bind(bytes.as_ref()),
            Value::Boolean(boolean) => query.bind(*boolean),
        })
    }

    fn postgres<'a>(&'a self, sql: &'a str) -> sqlx::query::Query<'a, Postgres, PgArguments> {
        self.values.iter().fold(sqlx::query(sql), |query, value| match value {
            Value::Text(text) => query.bind(text.as_deref()),
            Value::Integer(integer) => query.bind(*integer),
            Value::Bytes(bytes) => query.bind(bytes.as_ref()),
            Value::Boolean(boolean) => query.bind(*boolean),
        })
    }

    /// The statement with PostgreSQL's parameters: `$1`, `$2` and so on. No statement has a question mark for anything else.
    fn numbered(&self) -> String {
        let mut parts = self.sql.split('?');
        let mut numbered = parts.next().unwrap_or_default().to_owned();
        for (index, part) in parts.enumerate() {
            match part.starts_with(|first: char| first.is_ascii_digit()) {
                true => numbered.push('$'),
                // Writing to a string cannot fail.
                false => drop(write!(numbered, "${}", index + 1)),
            }
            numbered.push_str(part);
        }
        numbered
    }
}

async fn in_time<T>(answer: impl Future<Output = sqlx::Result<T>>) -> Result<T> {
    match timeout(ANSWER_TIMEOUT, answer).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(StoreError::Unavailable("the database does not answer".to_owned())),
    }
}

impl<'q> From<&'q str> for Value<'q> {
    fn from(text: &'q str) -> Self {
        Self::Text(Some(Cow::Borrowed(text)))
    }
}

impl<'q> From<&'q String> for Value<'q> {
    fn from(text: &'q String) -> Self {
        Self::Text(Some(Cow::Borrowed(text)))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Some(Cow::Owned(text)))
    }
}

impl<'q> From<Option<&'q str>> for Value<'q> {
    fn from(text: Option<&'q str>) -> Self {
        Self::Text(text.map(Cow::Borrowed))
    }
}

impl From<Option<String>> for Value<'_> {
    fn from(text: Option<String>) -> Self {
        Self::Text(text.map(Cow::Owned))
    }
}

impl From<i64> for Value<'_> {
    fn from(integer: i64) -> Self {
        Self::Integer(Some(integer))
    }
}

impl From<u32> for Value<'_> {
    fn from(integer: u32) -> Self {
        Self::Integer(Some(integer.into()))
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(integer: Option<i64>) -> Self {
        Self::Integer(integer)
    }
}

impl<'q> From<&'q [u8]> for Value<'q> {
    fn from(bytes: &'q [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(bytes))
    }
}

impl From<bool> for Value<'_> {
    fn from(boolean: bool) -> Self {
        Self::Boolean(boolean)
    }
}

#[cfg(test)]
mod tests {
    use super::query;

    #[test]
    fn parameters_are_numbered_for_postgresql() {
        for (sql, expected) in [
            ("SELECT 1", "SELECT 1"),
            ("a = ? AND b IN (?, ?)", "a = $1 AND b IN ($2, $3)"),
            ("a = ?1 AND b = ?2 OR c = ?1", "a = $1 AND b = $2 OR c = $1"),
        ] {
            assert_eq!(query(sql).numbered(), expected);
        }
    }
}
