//! The inputs of a task after the first, in the table `task_inputs`.

use filepress_wire::MediaType;
use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{QueryBuilder, Row, SqliteConnection};

use super::error::Result;
use super::records::{File, Task, TaskInput};
use super::{Store, rows};
use crate::clock::Timestamp;

/// SQL condition on a row of `files`: an unfinished task has it among its inputs after the first.
macro_rules! is_more_input {
    ($unfinished:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM task_inputs JOIN tasks ON tasks.id = task_inputs.task
                 WHERE task_inputs.file = files.id AND ",
            $unfinished,
            ")"
        )
    };
}
pub(super) use is_more_input;

impl Store {
    /// The inputs of a task after the first, in order.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn more_inputs(&self, task: &Task) -> Result<Vec<TaskInput>> {
        if task.input_count == 1 {
            return Ok(Vec::new());
        }
        let rows = sqlx::query("SELECT file, format FROM task_inputs WHERE task = ? ORDER BY position")
            .bind(&task.id)
            .fetch_all(&self.reads)
            .await?;
        rows.iter().map(input).collect()
    }
}

/// Whether all these files of the user have content and have not expired.
pub(super) async fn exist(
    connection: &mut SqliteConnection,
    user: &str,
    inputs: &[TaskInput],
    now: Timestamp,
) -> Result<bool> {
    if inputs.is_empty() {
        return Ok(true);
    }
    let mut ids: Vec<&str> = inputs.iter().map(|input| input.file.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut query =
        QueryBuilder::<Sqlite>::new("SELECT count(*) FROM files WHERE blob IS NOT NULL AND user = ");
    query.push_bind(user).push(" AND expires_at > ").push_bind(now.0).push(" AND id IN (");
    let mut list = query.separated(", ");
    for id in &ids {
        list.push_bind(*id);
    }
    query.push(")");
    let found: i64 = query.build_query_scalar().fetch_one(connection).await?;
    Ok(usize::try_from(found).is_ok_and(|found| found == ids.len()))
}

/// Inserts the inputs of a new task.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    task: &str,
    inputs: &[TaskInput],
) -> Result<()> {
    for (position, input) in (1_i64..).zip(inputs) {
        sqlx::query("INSERT INTO task_inputs (task, position, file, format) VALUES (?, ?, ?, ?)")
            .bind(task)
            .bind(position)
            .bind(&input.file)
            .bind(input.format.as_str())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// The files of the inputs of a task after the first, with their types as inputs; `None` if one has expired.
pub(super) async fn files(
    connection: &mut SqliteConnection,
    task: &Task,
    now: Timestamp,
) -> Result<Option<Vec<(File, MediaType)>>> {
    if task.input_count == 1 {
        return Ok(Some(Vec::new()));
    }
    let rows = sqlx::query(
        "SELECT files.*, task_inputs.format AS input_format FROM task_inputs JOIN files ON files.id = task_inputs.file
         WHERE task_inputs.task = ? AND files.blob IS NOT NULL AND files.expires_at > ? ORDER BY task_inputs.position",
    )
    .bind(&task.id)
    .bind(now.0)
    .fetch_all(connection)
    .await?;
    let files: Vec<_> = rows.iter().map(file).collect::<Result<_>>()?;
    Ok((files.len() + 1 == task.input_count as usize).then_some(files))
}

fn input(row: &SqliteRow) -> Result<TaskInput> {
    Ok(TaskInput { file: row.try_get("file")?, format: rows::media_type(row.try_get("format")?)? })
}

fn file(row: &SqliteRow) -> Result<(File, MediaType)> {
    Ok((rows::file(row)?, rows::media_type(row.try_get("input_format")?)?))
}
