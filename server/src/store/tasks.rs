//! Creates, reads and lists tasks.

use filepress_wire::MediaType;
use serde_json::{Map, Value};

use super::engine::signals::Signal;
use super::engine::{Row, Transaction, query};
use super::error::Result;
use super::records::{Class, Lane, Secrets, Status, Task, TaskInput};
use super::{Page, PageRequest, Store, callbacks, rows, task_inputs};
use crate::clock::Timestamp;
use crate::ids;

/// More tasks than can be under way to the queue at once: each takes a connection of the database.
const MAX_CONCURRENT_ADDS: i64 = 1000;

/// A task to be queued.
#[derive(Debug, Clone)]
pub struct NewTask {
    /// The id of an idempotent request: if a task with this id exists, it is returned unchanged. `None`: a new id.
    pub id: Option<String>,
    /// Its owner.
    pub user: String,
    /// See [`Task::public`].
    pub public: bool,
    /// See [`Task::lane`].
    pub lane: Lane,
    /// The estimate of its work.
    pub class: Class,
    /// Type of the first input.
    pub input_format: MediaType,
    /// Type of the output.
    pub output_format: MediaType,
    /// The settings that are shown.
    pub settings: Map<String, Value>,
    /// The secret settings.
    pub secrets: Secrets,
    /// Id of the first input file.
    pub input: String,
    /// The other inputs.
    pub more_inputs: Vec<TaskInput>,
    /// What is called when it ends.
    pub callback: Option<NewCallback>,
    /// See [`Task::request_id`].
    pub request_id: String,
}

/// The URL that is called when a task ends.
#[derive(Clone)]
pub struct NewCallback {
    /// The URL, which may have secrets in it.
    pub url: String,
    /// The most callbacks of the user that may wait to be called, this one included.
    pub max_per_user: u32,
}

impl std::fmt::Debug for NewCallback {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("NewCallback(…)")
    }
}

/// The result of creating a task.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "it is destructured at once")]
pub enum EnqueueResult {
    /// It is in the queue.
    Task(Task),
    /// The user has reached the limit of unfinished tasks.
    UserFull,
    /// The user has reached the limit of callbacks that were not called yet.
    CallbacksFull,
    /// The queue is full.
    QueueFull,
    /// An input file has expired, was deleted, or has no content.
    NoInput,
}

/// The depth of the queue, for metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Depth {
    /// PENDING tasks.
    pub pending: u64,
    /// PROCESSING tasks.
    pub processing: u64,
    /// Creation of the oldest PENDING task.
    pub oldest: Option<Timestamp>,
}

impl Store {
    /// Queues a task unless a limit is reached. It is one transaction, so concurrent calls cannot exceed the limits.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn add_task(
        &self,
        task: NewTask,
        max_per_user: u32,
        max_queue: u32,
        now: Timestamp,
    ) -> Result<EnqueueResult> {
        let mut transaction = self.begin().await?;
        transaction.lock_user(&task.user).await?;
        let id = task.id.clone().map_or_else(ids::uuid, Ok)?;
        if let Some(known) = callbacks::task(&mut transaction, &task.user, &id).await? {
            return Ok(EnqueueResult::Task(known));
        }
        let row = query(
            "SELECT
                 (SELECT count(*) FROM tasks WHERE ready_at IS NOT NULL AND user_id = ?1) AS unfinished,
                 (SELECT max(created_at) FROM tasks WHERE user_id = ?1) AS last,
                 EXISTS (SELECT 1 FROM files WHERE id = ?2 AND user_id = ?1 AND blob IS NOT NULL AND expires_at > ?3)
                     AS input",
        )
        .bind(&task.user)
        .bind(&task.input)
        .bind(now.0)
        .fetch_one(&mut transaction)
        .await?;
        let has_first: bool = row.get("input")?;
        if !has_first || !task_inputs::exist(&mut transaction, &task.user, &task.more_inputs, now).await? {
            return Ok(EnqueueResult::NoInput);
        }
        if row.get::<i64>("unfinished")? >= i64::from(max_per_user) {
            return Ok(EnqueueResult::UserFull);
        }
        if let Some(callback) = &task.callback
            && !callbacks::has_room(&mut transaction, &task.user, callback.max_per_user).await?
        {
            return Ok(EnqueueResult::CallbacksFull);
        }
        if !queue_has_room(&mut transaction, max_queue.into()).await? {
            return Ok(EnqueueResult::QueueFull);
        }
        let last: Option<i64> = row.get("last")?;
        let created_at = last.map_or(now.0, |last| now.0.max(last.saturating_add(1)));
        let (more_inputs, callback) = (task.more_inputs.clone(), task.callback.clone());
        let row = insert(&mut transaction, &id, task, created_at, now).await?;
        let mut task = rows::task(&row)?;
        task_inputs::insert(&mut transaction, &id, &more_inputs).await?;
        if let Some(callback) = callback {
            task.callback = Some(callbacks::insert(&mut transaction, &task, callback.url, now).await?);
        }
        transaction.notify(Signal::Queued).await?;
        transaction.commit().await?;
        Ok(EnqueueResult::Task(task))
    }

    /// The user's task.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn task(&self, user: &str, id: &str) -> Result<Option<Task>> {
        callbacks::task(&self.reads, user, id).await
    }

    /// The user's tasks.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn tasks(&self, user: &str, page: PageRequest) -> Result<Page<Task>> {
        page.take(
            |task: &Task| task.created_at,
            |range| {
                Box::pin(async move {
                    let order = if range.newest_first { "DESC" } else { "ASC" };
                    let rows = query(format!(
                        concat!(
                            callbacks::select_tasks!(),
                            " WHERE tasks.user_id = ? AND tasks.created_at > ? AND tasks.created_at < ?
                              ORDER BY tasks.created_at {order} LIMIT ?"
                        ),
                        order = order
                    ))
                    .bind(user)
                    .bind(range.above)
                    .bind(range.below)
                    .bind(range.limit)
                    .fetch_all(&self.reads)
                    .await?;
                    rows.iter().map(callbacks::task_of).collect()
                })
            },
        )
        .await
    }

    /// The depth of a lane.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn depth(&self, lane: Lane) -> Result<Depth> {
        let row = query(
            "SELECT count(*) FILTER (WHERE status = ?1) AS pending, count(*) FILTER (WHERE status = ?2) AS processing,
                 min(created_at) FILTER (WHERE status = ?1) AS oldest
             FROM tasks WHERE ready_at IS NOT NULL AND lane = ?3",
        )
        .bind(Status::Pending.as_str())
        .bind(Status::Processing.as_str())
        .bind(lane.as_str())
        .fetch_one(&self.reads)
        .await?;
        Ok(Depth {
            pending: row.count("pending")?,
            processing: row.count("processing")?,
            oldest: row.get::<Option<i64>>("oldest")?.map(Timestamp),
        })
    }
}

/// Whether one more task may wait. Far below the limit nothing is locked, so that users do not wait for each other; close to it, one
/// task is added at a time.
async fn queue_has_room(transaction: &mut Transaction, max: i64) -> Result<bool> {
    let waiting = "SELECT count(*) FROM tasks WHERE ready_at IS NOT NULL AND worker IS NULL";
    let mut count: i64 = query(waiting).scalar(&mut *transaction).await?;
    if transaction.is_shared() && (max - MAX_CONCURRENT_ADDS..max).contains(&count) {
        transaction.lock_queue().await?;
        count = query(waiting).scalar(transaction).await?;
    }
    Ok(count < max)
}

/// Inserts a pending task that is ready at `now`, and returns its row.
async fn insert(
    transaction: &mut Transaction,
    id: &str,
    task: NewTask,
    created_at: i64,
    now: Timestamp,
) -> Result<Row> {
    let row = query(
            "INSERT INTO tasks (id, user_id, public, status, lane, class, input_format, output_format, settings, input, input_count,
                 metadata, ready_at, request_id, created_at, updated_at, secrets)
             VALUES (?, ?, ?, 'PENDING', ?, ?, ?, ?, ?, ?, ?, '{}', ?, ?, ?, ?, ?) RETURNING *",
        )
        .bind(id)
        .bind(task.user)
        .bind(task.public)
        .bind(task.lane.as_str())
        .bind(task.class.as_str())
        .bind(task.input_format.as_str())
        .bind(task.output_format.as_str())
        .bind(rows::text(&task.settings)?)
        .bind(task.input)
        .bind(i64::try_from(task.more_inputs.len() + 1).unwrap_or(i64::MAX))
        .bind(now.0)
        .bind(task.request_id)
        .bind(created_at)
        .bind(created_at)
        .bind((!task.secrets.0.is_empty()).then(|| rows::text(&task.secrets.0)).transpose()?)
        .fetch_one(transaction)
        .await?;
    Ok(row)
}
