//! What one process of the service tells the others (LISTEN and NOTIFY of PostgreSQL). A signal may be lost with its connection, so
//! it only makes a process look sooner: everyone who waits for a signal looks from time to time as well.

use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::time::timeout;

/// The pause before a lost connection is tried again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// A connection that has been silent for so long is made anew: it may have been cut without a word.
const RENEWAL: Duration = Duration::from_secs(60);

/// A change that other processes wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// A task may be claimed.
    Queued,
    /// A task that a worker ran was canceled.
    Canceled,
    /// A task ended whose callback is to be called.
    CallbackDue,
}

impl Signal {
    const ALL: [Self; 3] = [Self::Queued, Self::Canceled, Self::CallbackDue];

    pub(super) const fn channel(self) -> &'static str {
        match self {
            Self::Queued => "filepress_queued",
            Self::Canceled => "filepress_canceled",
            Self::CallbackDue => "filepress_callback_due",
        }
    }
}

/// Receives the signals of all processes, this one included.
#[derive(Debug)]
pub struct Signals {
    pool: PgPool,
    listener: Option<PgListener>,
}

impl Signals {
    pub(in super::super) fn new(pool: PgPool) -> Self {
        Self { pool, listener: None }
    }

    /// Waits for signals. After the connection was made or lost, any may have been missed, and all are returned.
    pub async fn next(&mut self) -> Vec<Signal> {
        loop {
            let Some(listener) = &mut self.listener else {
                match listen(&self.pool).await {
                    Ok(listener) => {
                        self.listener = Some(listener);
                        return Signal::ALL.to_vec();
                    }
                    Err(error) => tracing::warn!(%error, "cannot listen for changes; polling goes on"),
                }
                tokio::time::sleep(RETRY_PAUSE).await;
                continue;
            };
            let Ok(notice) = timeout(RENEWAL, listener.try_recv()).await else {
                self.listener = None;
                continue;
            };
            match notice {
                Ok(Some(notice)) => {
                    let known = |signal: &Signal| signal.channel() == notice.channel();
                    return Signal::ALL.into_iter().filter(known).collect();
                }
                Ok(None) => self.listener = None,
                Err(error) => {
                    tracing::warn!(%error, "the connection that listens for changes was lost");
                    self.listener = None;
                }
            }
        }
    }
}

async fn listen(pool: &PgPool) -> sqlx::Result<PgListener> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen_all(Signal::ALL.map(Signal::channel)).await?;
    Ok(listener)
}
