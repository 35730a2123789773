//! A row of either engine.

use sqlx::postgres::{PgRow, Postgres};
use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{Decode, Row as _, Type};

use crate::store::StoreError;
use crate::store::error::Result;

/// A row of either engine.
pub(in super::super) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// A type that is read from a column in both engines.
pub(in super::super) trait Cell<'r>:
    Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>
{
}

impl<'r, T> Cell<'r> for T where T: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres> {}

impl Row {
    /// A column.
    pub(in super::super) fn get<'r, T: Cell<'r>>(&'r self, column: &str) -> Result<T> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    /// The column at an index.
    pub(in super::super) fn at<'r, T: Cell<'r>>(&'r self, index: usize) -> Result<T> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(index)?,
            Self::Postgres(row) => row.try_get(index)?,
        })
    }

    /// The first column.
    pub(in super::super) fn first<'r, T: Cell<'r>>(&'r self) -> Result<T> {
        self.at(0)
    }

    /// A column that holds a number which is never negative.
    pub(in super::super) fn count<T: TryFrom<i64>>(&self, column: &str) -> Result<T> {
        let number = self.get::<i64>(column)?;
        T::try_from(number).map_err(|_| StoreError::Row(format!("{column}: {number} is out of range")))
    }
}
