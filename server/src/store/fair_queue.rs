//! Fair scheduling between users. Within a lane the user with the fewest running tasks comes first, then the user served least
//! recently; each user's oldest task comes first. Short tasks overtake long ones, except those that have waited for
//! [`MAX_LONG_WAIT`]: then only the order of users counts, so that no task starves.

use std::time::Duration;

use super::engine::{LockMode, Row, Transaction, query};
use super::error::Result;
use super::quotas;
use super::records::Lane;
use crate::clock::Timestamp;

/// How long short tasks may overtake a long one.
pub const MAX_LONG_WAIT: Duration = Duration::from_secs(60);

/// SQL: the oldest waiting task of each user, in each of the two places and on either side of [`MAX_LONG_WAIT`], in the order in which
/// they are served. Reads the waiting tasks, at most `max-queue`, from an index. Binds the time of [`MAX_LONG_WAIT`] twice, the lane, the
/// time, the day, the milliseconds that a user may take a day, the lane and the time. `$columns` is selected; `$classes` restricts the tasks.
macro_rules! in_order {
    ($columns:literal, $classes:literal) => {
        concat!(
            "SELECT ", $columns, " FROM (
                 SELECT user_id, place, old, min(created_at) AS created_at FROM (
                     SELECT user_id, created_at,
                         CASE WHEN class = 'short' OR created_at <= ? THEN 0 ELSE 1 END AS place,
                         CASE WHEN created_at <= ? THEN 1 ELSE 0 END AS old
                     FROM tasks WHERE lane = ? AND ", $classes, " AND ready_at <= ?
                         AND user_id NOT IN (SELECT user_id FROM processing WHERE day = ? AND milliseconds >= ?)
                 ) AS waiting GROUP BY user_id, place, old
             ) AS oldest
             JOIN tasks ON tasks.user_id = oldest.user_id AND tasks.created_at = oldest.created_at
             LEFT JOIN turns ON turns.lane = tasks.lane AND turns.user_id = tasks.user_id
             LEFT JOIN (
                 SELECT user_id, count(*) AS tasks FROM tasks
                 WHERE lane = ? AND class IN ('short', 'long') AND ready_at > ? AND worker IS NOT NULL GROUP BY user_id
             ) AS running ON running.user_id = tasks.user_id
             ORDER BY oldest.place, CASE WHEN oldest.old = 1 THEN 0 ELSE coalesce(running.tasks, 0) END,
                 coalesce(turns.turn, 0), tasks.created_at, tasks.id"
        )
    };
}

/// The next task, locked until the end of the transaction; `None` if none waits. Users who have used the processor time `max_cpu` today
/// have none.
pub(super) async fn next(
    transaction: &mut Transaction,
    lane: Lane,
    only_short: bool,
    max_cpu: Option<Duration>,
    now: Timestamp,
) -> Result<Option<Row>> {
    let max = max_cpu.and_then(|max| i64::try_from(max.as_millis()).ok()).unwrap_or(i64::MAX);
    let bound = |sql: &'static str| {
        let long_wait = now.before(MAX_LONG_WAIT).0;
        let sql = query(sql).bind(long_wait).bind(long_wait).bind(lane.as_str()).bind(now.0);
        sql.bind(quotas::day(now)).bind(max).bind(lane.as_str()).bind(now.0)
    };
    if !transaction.is_shared() {
        let first = match only_short {
            true => concat!(in_order!("tasks.*", "class = 'short'"), " LIMIT 1"),
            false => concat!(in_order!("tasks.*", "class IN ('short', 'long')"), " LIMIT 1"),
        };
        return bound(first).fetch_optional(transaction).await;
    }
    let groups = match only_short {
        true => in_order!("tasks.user_id, oldest.place, oldest.old", "class = 'short'"),
        false => in_order!("tasks.user_id, oldest.place, oldest.old", "class IN ('short', 'long')"),
    };
    for group in bound(groups).fetch_all(&mut *transaction).await? {
        let task = first_unlocked(transaction, &group, lane, only_short, now).await?;
        if task.is_some() {
            return Ok(task);
        }
    }
    Ok(None)
}

/// The oldest task of a group that no other process is claiming at this moment. Two claims at once may so take two tasks of a user
/// before either is counted as running; the next turns make up for it.
async fn first_unlocked(
    transaction: &mut Transaction,
    group: &Row,
    lane: Lane,
    only_short: bool,
    now: Timestamp,
) -> Result<Option<Row>> {
    let classes = if only_short { "class = 'short'" } else { "class IN ('short', 'long')" };
    let lock = transaction.lock(LockMode::ChangeFree, "tasks");
    query(format!(
        "SELECT * FROM tasks WHERE lane = ?1 AND {classes} AND ready_at <= ?2 AND user_id = ?3
             AND CASE WHEN class = 'short' OR created_at <= ?4 THEN 0 ELSE 1 END = ?5
             AND CASE WHEN created_at <= ?4 THEN 1 ELSE 0 END = ?6
         ORDER BY created_at LIMIT 1{lock}"
    ))
    .bind(lane.as_str())
    .bind(now.0)
    .bind(group.get::<&str>("user_id")?)
    .bind(now.before(MAX_LONG_WAIT).0)
    .bind(i64::from(group.get::<i32>("place")?))
    .bind(i64::from(group.get::<i32>("old")?))
    .fetch_optional(transaction)
    .await
}

/// Records that the user was served. Turns are counters, not times, so that setting the clock back has no effect.
pub(super) async fn record_turn(transaction: &mut Transaction, lane: Lane, user: &str) -> Result<()> {
    query(
        "INSERT INTO turns (lane, user_id, turn)
         VALUES (?, ?, (SELECT coalesce(max(turn), 0) + 1 FROM turns WHERE lane = ?))
         ON CONFLICT (lane, user_id) DO UPDATE SET turn = excluded.turn",
    )
    .bind(lane.as_str())
    .bind(user)
    .bind(lane.as_str())
    .execute(transaction)
    .await?;
    Ok(())
}
