//! One attempt at a claimed task.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::completion::{AttemptOutcome, record_outcome};
use super::conversion::{self, StoredOutput};
use super::heartbeat::{self, Progress};
use crate::app::App;
use crate::media::Failure;
use crate::store::Claim;

/// How long a cancelled conversion may take to end its child processes.
const CANCEL_GRACE: Duration = Duration::from_secs(10);

/// How long a task may take on a worker for short tasks. A task that takes longer was misjudged: it returns to the queue as a long
/// one, so that it does not block other short tasks.
const MAX_SHORT_TIME: Duration = Duration::from_secs(30);

/// Runs a task and records its outcome; false if the worker should pause before the next one.
pub(super) async fn run(app: Arc<App>, claim: Claim, only_short: bool) -> bool {
    let progress = Progress::default();
    let cancel = CancellationToken::new();
    let (mut lost, mut too_long) = (false, false);
    let result = {
        let mut work = pin!(conversion::run(&app, &claim, &progress, cancel.clone()));
        tokio::select! {
            result = &mut work => result,
            () = heartbeat::run(&app, &claim, &progress) => {
                lost = true;
                cancel_and_wait(&cancel, work).await
            }
            () = stop_grace_elapsed(&app) => cancel_and_wait(&cancel, work).await,
            () = tokio::time::sleep(MAX_SHORT_TIME), if only_short => {
                too_long = true;
                cancel_and_wait(&cancel, work).await
            }
        }
    };
    let outcome = match result {
        result if lost => AttemptOutcome::Lost(result.ok()),
        Ok(made) => AttemptOutcome::Completed(made),
        Err(Failure::File { code, detail }) => AttemptOutcome::Failed(code, detail),
        Err(Failure::Infrastructure(reason)) => AttemptOutcome::Fault(reason),
        Err(Failure::Cancelled) if too_long => AttemptOutcome::TooLong,
        Err(Failure::Cancelled) => AttemptOutcome::Stopped,
    };
    let metadata = progress.metadata(&claim, app.clock.now());
    record_outcome(&app, &claim, metadata, outcome).await
}

/// Returns when the service is stopping and `stop_grace` has passed.
async fn stop_grace_elapsed(app: &App) {
    app.stopping.cancelled().await;
    tokio::time::sleep(app.config.stop_grace).await;
}

async fn cancel_and_wait(
    cancel: &CancellationToken,
    work: impl Future<Output = Result<StoredOutput, Failure>>,
) -> Result<StoredOutput, Failure> {
    cancel.cancel();
    tokio::time::timeout(CANCEL_GRACE, work).await.unwrap_or(Err(Failure::Cancelled))
}
