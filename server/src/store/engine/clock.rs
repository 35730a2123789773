//! The clock of a database that several machines share. It is PostgreSQL's: a machine only counts the time since it last asked. The
//! machine's own date is never used, so it may be wrong by years.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use sqlx::PgPool;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use crate::clock::{Clock, Timestamp};
use crate::store::error::Result;

/// How often the database is asked for the time.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long it may take to answer.
const MAX_TIME: Duration = Duration::from_secs(5);
/// How often it is asked each time; the fastest answer counts. Its error is at most half of the time that the answer took.
const SAMPLES: usize = 3;

/// The database's time.
#[derive(Debug, Clone)]
pub(in super::super) struct DatabaseClock {
    /// The database's time less this machine's count, in nanoseconds.
    offset: Arc<AtomicI64>,
    _updates: Arc<AbortOnDropHandle<()>>,
}

impl DatabaseClock {
    /// Asks the database for the time now, and then every second.
    pub(in super::super) async fn start(pool: PgPool) -> Result<Self> {
        let offset = Arc::new(AtomicI64::new(measure(&pool).await?));
        let shared = Arc::clone(&offset);
        let updates = tokio::spawn(async move {
            loop {
                tokio::time::sleep(INTERVAL).await;
                // While the database does not answer, nothing can be written by a wrong time either.
                if let Ok(Ok(offset)) = timeout(MAX_TIME, measure(&pool)).await {
                    shared.store(offset, Ordering::Relaxed);
                }
            }
        });
        Ok(Self { offset, _updates: Arc::new(AbortOnDropHandle::new(updates)) })
    }
}

impl Clock for DatabaseClock {
    fn now(&self) -> Timestamp {
        Timestamp(count().saturating_add(self.offset.load(Ordering::Relaxed)))
    }
}

async fn measure(pool: &PgPool) -> sqlx::Result<i64> {
    let mut connection = pool.acquire().await?;
    let mut best = None;
    for _ in 0..SAMPLES {
        let before = count();
        let now: i64 =
            sqlx::query_scalar("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000000 AS BIGINT)")
                .fetch_one(&mut *connection)
                .await?;
        let took = count().saturating_sub(before);
        let sample = (took, now.saturating_sub(before.saturating_add(took / 2)));
        best = Some(best.map_or(sample, |best: (i64, i64)| best.min(sample)));
    }
    best.map(|(_, offset)| offset).ok_or(sqlx::Error::RowNotFound)
}

/// Nanoseconds since this machine was started, with the time that it was suspended.
fn count() -> i64 {
    let time = clock_gettime(ClockId::Boottime);
    time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec)
}
