//! Fair scheduling between users. Within a lane the user with the fewest running tasks comes first, then the user served least
//! recently; each user's oldest task comes first. Short tasks overtake long ones, except those that have waited for
//! [`MAX_LONG_WAIT`]: then only the order of users counts, so that no task starves.

use std::time::Duration;

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use super::error::Result;
use super::records::Lane;
use crate::clock::Timestamp;

/// How long short tasks may overtake a long one.
pub const MAX_LONG_WAIT: Duration = Duration::from_secs(60);

/// The next task; `None` if none waits. The query reads the waiting tasks, at most `max-queue`, from an index.
pub(super) async fn next(
    connection: &mut SqliteConnection,
    lane: Lane,
    only_short: bool,
    now: Timestamp,
) -> Result<Option<SqliteRow>> {
    let classes = if only_short { "class = 'short'" } else { "class IN ('short', 'long')" };
    let row = sqlx::query(&format!(
        "SELECT tasks.* FROM (
             SELECT user_id, place, old, min(created_at) AS created_at FROM (
                 SELECT user AS user_id, created_at,
                     CASE WHEN class = 'short' OR created_at <= ? THEN 0 ELSE 1 END AS place,
                     CASE WHEN created_at <= ? THEN 1 ELSE 0 END AS old
                 FROM tasks WHERE lane = ? AND {classes} AND ready_at <= ?
             ) AS waiting GROUP BY user_id, place, old
         ) AS oldest
         JOIN tasks ON tasks.user = oldest.user_id AND tasks.created_at = oldest.created_at
         LEFT JOIN turns ON turns.lane = tasks.lane AND turns.user_id = tasks.user
         LEFT JOIN (
             SELECT user AS user_id, count(*) AS tasks FROM tasks
             WHERE lane = ? AND class IN ('short', 'long') AND ready_at > ? AND worker IS NOT NULL GROUP BY user
         ) AS running ON running.user_id = tasks.user
         ORDER BY oldest.place, CASE WHEN oldest.old = 1 THEN 0 ELSE coalesce(running.tasks, 0) END,
             coalesce(turns.turn, 0), tasks.created_at, tasks.id
         LIMIT 1"
    ))
    .bind(now.before(MAX_LONG_WAIT).0)
    .bind(now.before(MAX_LONG_WAIT).0)
    .bind(lane.as_str())
    .bind(now.0)
    .bind(lane.as_str())
    .bind(now.0)
    .fetch_optional(connection)
    .await?;
    Ok(row)
}

/// Records that the user was served. Turns are counters, not times, so that setting the clock back has no effect.
pub(super) async fn record_turn(connection: &mut SqliteConnection, lane: Lane, user: &str) -> Result<()> {
    sqlx::query(
        "INSERT INTO turns (lane, user_id, turn)
         VALUES (?, ?, (SELECT coalesce(max(turn), 0) + 1 FROM turns WHERE lane = ?))
         ON CONFLICT (lane, user_id) DO UPDATE SET turn = excluded.turn",
    )
    .bind(lane.as_str())
    .bind(user)
    .bind(lane.as_str())
    .execute(connection)
    .await?;
    Ok(())
}
