//! Copies the rows of a database into another one, of whichever engine.

use std::collections::HashSet;

use super::engine::ColumnKind::{self, Boolean, Bytes, Integer, Text};
use super::engine::{Cells, Row, query};
use super::error::Result;
use super::records::File;
use super::{Store, StoreError, rows};

/// Rows per statement. PostgreSQL takes at most 65,535 parameters.
const BATCH: usize = 500;

/// A table: its columns, of which the first `key` are its primary key.
struct Table {
    name: &'static str,
    key: usize,
    columns: &'static [(&'static str, ColumnKind)],
}

/// The tables, each after those that it refers to. Limits of rates and turns are forgotten: the former last a minute, the latter are
/// made up for by the next tasks.
const TABLES: &[Table] = &[
    Table {
        name: "users",
        key: 1,
        columns: &[
            ("id", Text),
            ("email", Text),
            ("name", Text),
            ("created_at", Integer),
            ("updated_at", Integer),
        ],
    },
    Table {
        name: "keys",
        key: 1,
        columns: &[
            ("id", Text),
            ("user_id", Text),
            ("prefix", Text),
            ("hash", Bytes),
            ("created_at", Integer),
            ("revoked_at", Integer),
            ("name", Text),
            ("scopes", Text),
            ("expires_at", Integer),
            ("used_at", Integer),
        ],
    },
    Table {
        name: "key_log",
        key: 1,
        columns: &[
            ("id", Text),
            ("key_id", Text),
            ("at", Integer),
            ("event", Text),
            ("method", Text),
            ("path", Text),
            ("status", Integer),
            ("address", Text),
            ("request_id", Text),
        ],
    },
    Table {
        name: "files",
        key: 1,
        columns: &[
            ("id", Text),
            ("user_id", Text),
            ("format", Text),
            ("is_archive", Boolean),
            ("sniffed", Text),
            ("size", Integer),
            ("blob", Text),
            ("sha256", Text),
            ("public", Boolean),
            ("created_at", Integer),
            ("updated_at", Integer),
            ("uploaded_at", Integer),
            ("expires_at", Integer),
        ],
    },
    Table {
        name: "tasks",
        key: 1,
        columns: &[
            ("id", Text),
            ("user_id", Text),
            ("public", Boolean),
            ("status", Text),
            ("lane", Text),
            ("class", Text),
            ("input_format", Text),
            ("output_format", Text),
            ("settings", Text),
            ("secrets", Text),
            ("input", Text),
            ("input_count", Integer),
            ("output", Text),
            ("metadata", Text),
            ("attempt", Integer),
            ("faults", Integer),
            ("restarts", Integer),
            ("worker", Text),
            ("ready_at", Integer),
            ("request_id", Text),
            ("created_at", Integer),
            ("updated_at", Integer),
            ("started_at", Integer),
            ("processed_at", Integer),
        ],
    },
    Table {
        name: "task_inputs",
        key: 2,
        columns: &[("task", Text), ("position", Integer), ("file", Text), ("format", Text)],
    },
    Table {
        name: "callbacks",
        key: 1,
        columns: &[
            ("id", Text),
            ("task", Text),
            ("user_id", Text),
            ("url", Text),
            ("status", Text),
            ("attempt", Integer),
            ("failure", Text),
            ("worker", Text),
            ("ready_at", Integer),
            ("updated_at", Integer),
        ],
    },
    Table {
        name: "callback_secrets",
        key: 1,
        columns: &[
            ("user_id", Text),
            ("secret", Text),
            ("previous", Text),
            ("previous_until", Integer),
            ("created_at", Integer),
        ],
    },
    Table {
        name: "answers",
        key: 2,
        columns: &[
            ("user_id", Text),
            ("key", Text),
            ("request", Bytes),
            ("made", Text),
            ("created_at", Integer),
            ("busy_until", Integer),
            ("status", Integer),
        ],
    },
    Table {
        name: "processing",
        key: 2,
        columns: &[("day", Integer), ("user_id", Text), ("milliseconds", Integer)],
    },
];

impl Store {
    /// Copies all rows into `target`, except those that are there. Called again after an interruption, it goes on. No process may serve
    /// either database meanwhile. Returns the number of rows of each table, in both databases.
    ///
    /// # Errors
    ///
    /// If a database fails, or `target` has other rows that contradict these, such as another user with the same e-mail address, or a task in
    /// a later state.
    pub async fn copy_rows(&self, target: &Self) -> Result<Vec<(&'static str, u64)>> {
        let mut counts = Vec::new();
        for table in TABLES {
            counts.push((table.name, self.copy_table(target, table).await?));
        }
        Ok(counts)
    }

    /// The next files with content after one with this id, in order of their ids; at first, after an empty one.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn files_with_content(&self, after: &str) -> Result<Vec<File>> {
        let select =
            format!("SELECT * FROM files WHERE blob IS NOT NULL AND id > ? ORDER BY id LIMIT {BATCH}");
        query(select).bind(after).fetch_all(&self.reads).await?.iter().map(rows::file).collect()
    }

    async fn copy_table(&self, target: &Self, table: &Table) -> Result<u64> {
        let mut copied = 0;
        let mut last: Option<Cells> = None;
        loop {
            let rows = self.batch(table, last.take()).await?;
            let Some(newest) = rows.last() else { return Ok(copied) };
            last = Some(newest.first(table.key));
            copied += rows.len() as u64;
            let full = rows.len() == BATCH;
            target.insert(table, &rows).await?;
            if !full {
                return Ok(copied);
            }
        }
    }

    /// The next rows after a key, in order of the key.
    async fn batch(&self, table: &Table, after: Option<Cells>) -> Result<Vec<Cells>> {
        let (key, columns) = (names(&table.columns[..table.key]), names(table.columns));
        let beyond = match &after {
            Some(_) => format!("WHERE ({key}) > ({})", marks(table.key)),
            None => String::new(),
        };
        let select = format!("SELECT {columns} FROM {} {beyond} ORDER BY {key} LIMIT {BATCH}", table.name);
        let select = after.into_iter().fold(query(select), |select, cells| select.bind_cells(cells));
        select.fetch_all(&self.reads).await?.iter().map(|row| table.cells(row)).collect()
    }

    /// Inserts those rows that are not there, and checks that all of them are there now, as they are in the source.
    async fn insert(&self, table: &Table, rows: &[Cells]) -> Result<()> {
        let columns = names(table.columns);
        let insert = format!(
            "INSERT INTO {} ({columns}) VALUES {} ON CONFLICT DO NOTHING",
            table.name,
            tuples(rows.len(), table.columns.len())
        );
        let mut transaction = self.begin().await?;
        let insert = rows.iter().fold(query(insert), |insert, row| insert.bind_cells(row.clone()));
        insert.execute(&mut transaction).await?;
        let select = format!(
            "SELECT {columns} FROM {} WHERE ({}) IN (VALUES {})",
            table.name,
            names(&table.columns[..table.key]),
            tuples(rows.len(), table.key)
        );
        let select = rows.iter().fold(query(select), |select, row| select.bind_cells(row.first(table.key)));
        let found = select.fetch_all(&mut transaction).await?;
        let found = found.iter().map(|row| table.cells(row)).collect::<Result<HashSet<_>>>()?;
        let contradicted = rows.iter().filter(|row| !found.contains(row)).count();
        if contradicted > 0 {
            return Err(StoreError::Row(format!(
                "{contradicted} rows of {} contradict rows that are in the target already",
                table.name
            )));
        }
        transaction.commit().await
    }
}

impl Table {
    fn cells(&self, row: &Row) -> Result<Cells> {
        Cells::of(row, self.columns.iter().map(|(_, kind)| *kind))
    }
}

fn names(columns: &[(&'static str, ColumnKind)]) -> String {
    columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn marks(count: usize) -> String {
    vec!["?"; count].join(", ")
}

/// The marks of several rows.
fn tuples(rows: usize, columns: usize) -> String {
    vec![format!("({})", marks(columns)); rows].join(", ")
}
