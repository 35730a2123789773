//! The columns of a row as values that another statement takes, for copies between databases.

use std::borrow::Cow;

use super::query::{Query, Value};
use super::row::Row;
use crate::store::error::Result;

/// What a column holds. Text and integers may be NULL.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum ColumnKind {
    Text,
    Integer,
    Bytes,
    Boolean,
}

/// Columns of a row, in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in super::super) struct Cells(Vec<Value<'static>>);

impl Cells {
    /// Reads all columns of a row.
    pub(in super::super) fn of(row: &Row, kinds: impl Iterator<Item = ColumnKind>) -> Result<Self> {
        let cells = kinds.enumerate().map(|(index, kind)| {
            Ok(match kind {
                ColumnKind::Text => Value::Text(row.at::<Option<String>>(index)?.map(Cow::Owned)),
                ColumnKind::Integer => Value::Integer(row.at(index)?),
                ColumnKind::Bytes => Value::Bytes(Cow::Owned(row.at(index)?)),
                ColumnKind::Boolean => Value::Boolean(row.at(index)?),
            })
        });
        Ok(Self(cells.collect::<Result<_>>()?))
    }

    /// A copy of the first columns.
    pub(in super::super) fn first(&self, count: usize) -> Self {
        Self(self.0.iter().take(count).cloned().collect())
    }
}

impl Query<'_> {
    /// Adds parameters.
    pub(in super::super) fn bind_cells(self, cells: Cells) -> Self {
        cells.0.into_iter().fold(self, |query, value| query.bind(value))
    }
}
