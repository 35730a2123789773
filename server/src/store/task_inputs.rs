//! The inputs of a task after the first, in the table `task_inputs`.

use filepress_wire::MediaType;

use super::engine::{LockMode, Row, Transaction, query};
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
        let rows = query("SELECT file, format FROM task_inputs WHERE task = ? ORDER BY position")
            .bind(&task.id)
            .fetch_all(&self.reads)
            .await?;
        rows.iter().map(input).collect()
    }
}

/// Whether all these files of the user have content and have not expired.
pub(super) async fn exist(
    transaction: &mut Transaction,
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
    let marks = vec!["?"; ids.len()].join(", ");
    let select = format!(
        "SELECT count(*) FROM files WHERE blob IS NOT NULL AND user_id = ? AND expires_at > ? AND id IN ({marks})"
    );
    let select = ids.iter().fold(query(select).bind(user).bind(now.0), |select, id| select.bind(*id));
    let found: i64 = select.scalar(transaction).await?;
    Ok(usize::try_from(found).is_ok_and(|found| found == ids.len()))
}

/// Inserts the inputs of a new task.
pub(super) async fn insert(transaction: &mut Transaction, task: &str, inputs: &[TaskInput]) -> Result<()> {
    for (position, input) in (1_i64..).zip(inputs) {
        query("INSERT INTO task_inputs (task, position, file, format) VALUES (?, ?, ?, ?)")
            .bind(task)
            .bind(position)
            .bind(&input.file)
            .bind(input.format.as_str())
            .execute(&mut *transaction)
            .await?;
    }
    Ok(())
}

/// The files of the inputs of a task after the first, with their types as inputs; `None` if one has expired.
pub(super) async fn files(
    transaction: &mut Transaction,
    task: &Task,
    now: Timestamp,
) -> Result<Option<Vec<(File, MediaType)>>> {
    if task.input_count == 1 {
        return Ok(Some(Vec::new()));
    }
    let select = "SELECT files.*, task_inputs.format AS input_format FROM task_inputs JOIN files ON files.id = task_inputs.file
         WHERE task_inputs.task = ? AND files.blob IS NOT NULL AND files.expires_at > ? ORDER BY task_inputs.position";
    let rows = query(format!("{select}{}", transaction.lock(LockMode::Keep, "files")))
        .bind(&task.id)
        .bind(now.0)
        .fetch_all(transaction)
        .await?;
    let files: Vec<_> = rows.iter().map(file).collect::<Result<_>>()?;
    Ok((files.len() + 1 == task.input_count as usize).then_some(files))
}

fn input(row: &Row) -> Result<TaskInput> {
    Ok(TaskInput { file: row.get("file")?, format: rows::media_type(row.get("format")?)? })
}

fn file(row: &Row) -> Result<(File, MediaType)> {
    Ok((rows::file(row)?, rows::media_type(row.get("input_format")?)?))
}
