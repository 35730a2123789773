//! Whether work can be taken in, looked at no more than once a second: it costs a write, and everybody may ask.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::error::{ApiError, Result};
use crate::app::App;

const FRESH: Duration = Duration::from_secs(1);

/// What was found when the database was last looked at.
#[derive(Debug, Default)]
pub struct Readiness(Mutex<Option<(Instant, bool)>>);

impl App {
    /// That the service does not stop, the disk has room, and the database can be written.
    ///
    /// # Errors
    /// 503, or 500 where the database fails.
    pub async fn is_ready(&self) -> Result<()> {
        self.takes_in(0)?;
        let mut last = self.readiness.0.lock().await;
        let known = last.filter(|(at, _)| at.elapsed() < FRESH).map(|(_, works)| works);
        let works = match known {
            Some(works) => works,
            None => {
                let checked = self.store.check().await;
                if let Err(error) = &checked {
                    tracing::error!(%error, "the database fails");
                }
                *last = Some((Instant::now(), checked.is_ok()));
                checked.is_ok()
            }
        };
        if works { Ok(()) } else { Err(ApiError::internal("the database fails")) }
    }
}
