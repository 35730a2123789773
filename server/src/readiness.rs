//! Whether the database works. The check costs a write and anyone may ask, so its result is cached for one second.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::store::Store;

/// How long a result is cached.
const CACHE_TIME: Duration = Duration::from_secs(1);

/// The cached result of the last check of the database.
#[derive(Debug, Default)]
pub struct Readiness(Mutex<Option<(Instant, bool)>>);

impl Readiness {
    /// Whether the database can be written. Concurrent callers share one check.
    pub async fn check(&self, store: &Store) -> bool {
        let mut last = self.0.lock().await;
        if let Some((_, works)) = last.filter(|(at, _)| at.elapsed() < CACHE_TIME) {
            return works;
        }
        let checked = store.check().await;
        if let Err(error) = &checked {
            tracing::error!(%error, "cannot write to the database");
        }
        *last = Some((Instant::now(), checked.is_ok()));
        checked.is_ok()
    }
}
