//! One attempt at a claimed task, from the claim to its ending.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::completion::{Ending, write_down};
use super::conversion::{self, Made};
use super::heartbeat::{self, Progress};
use crate::app::App;
use crate::media::Failure;
use crate::store::Claim;

/// How long a conversion that was cancelled may take to end its children.
const CANCEL_GRACE: Duration = Duration::from_secs(10);

/// How long a task may take at a worker for short ones. What takes longer was taken for short wrongly: it goes back into the queue
/// as a long one, so that whoever waits for this worker waits no longer than this for it.
const SHORT_TIME: Duration = Duration::from_secs(30);

/// Carries a task out; false where the worker does well to rest.
pub(super) async fn run(app: Arc<App>, claim: Claim, only_short: bool) -> bool {
    let progress = Progress::default();
    let cancel = CancellationToken::new();
    let (mut lost, mut too_long) = (false, false);
    let result = {
        let mut work = pin!(conversion::run(&app, &claim, &progress, cancel.clone()));
        tokio::select! {
            result = &mut work => result,
            () = heartbeat::keep(&app, &claim, &progress) => {
                lost = true;
                cancelled(&cancel, work).await
            }
            () = stopped(&app) => cancelled(&cancel, work).await,
            () = tokio::time::sleep(SHORT_TIME), if only_short => {
                too_long = true;
                cancelled(&cancel, work).await
            }
        }
    };
    let ending = match result {
        result if lost => Ending::Lost(result.ok()),
        Ok(made) => Ending::Made(made),
        Err(Failure::File { code, detail }) => Ending::Failed(code, detail),
        Err(Failure::Infrastructure(reason)) => Ending::Fault(reason),
        Err(Failure::Cancelled) if too_long => Ending::TooLong,
        Err(Failure::Cancelled) => Ending::Stopped,
    };
    let metadata = progress.metadata(&claim, app.clock.now());
    write_down(&app, &claim, metadata, ending).await
}

/// When the service has stopped for as long as what runs may take to finish.
async fn stopped(app: &App) {
    app.stopping.cancelled().await;
    tokio::time::sleep(app.config.stop_grace).await;
}

async fn cancelled(
    cancel: &CancellationToken,
    work: impl Future<Output = Result<Made, Failure>>,
) -> Result<Made, Failure> {
    cancel.cancel();
    tokio::time::timeout(CANCEL_GRACE, work).await.unwrap_or(Err(Failure::Cancelled))
}
