//! One attempt at a claimed task, from the claim to its ending.

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

/// How long a conversion that was cancelled may take to end its children.
const CANCEL_GRACE: Duration = Duration::from_secs(10);

/// How long a task may take at a worker for short ones. What takes longer was taken for short wrongly: it goes back into the queue
/// as a long one, so that whoever waits for this worker waits no longer than this for it.
const MAX_SHORT_TIME: Duration = Duration::from_secs(30);

/// Carries a task out; false where the worker does well to rest.
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

/// When the service has stopped for as long as what runs may take to finish.
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
