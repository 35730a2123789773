//! Calls the callbacks of tasks that have ended, one attempt each at a time. [`crate::store`] keeps what is due, [`crate::callbacks`] makes
//! the request. Servers do this that answer requests too: what is sent has links, and they know the public URL.

mod attempt;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::app::App;
use crate::process_name::process_name;
use crate::store::CallbackClaim;

/// Calls that are made at once.
const AT_ONCE: usize = 16;
/// How often the database is asked for what is due: nothing notifies of pauses and leases that are over.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often to look for tasks that a server of an earlier version has ended.
const MISSED_INTERVAL: Duration = Duration::from_secs(60);
/// How long a claim lasts besides what the call may take.
const LEASE_MARGIN: Duration = Duration::from_secs(30);

/// Calls callbacks until the service stops. Calls that are under way may finish within `stop_grace`; what is cut off then is called again.
pub async fn run(app: Arc<App>) {
    if !app.config.role.serves() {
        return;
    }
    let worker = process_name();
    let (mut calls, slots) = (JoinSet::new(), Arc::new(Semaphore::new(AT_ONCE)));
    recover(&app).await;
    let mut missed = tokio::time::interval(MISSED_INTERVAL);
    while !app.stopping.is_cancelled() {
        while calls.try_join_next().is_some() {}
        // Register before the database is asked, so that a task that ends meanwhile wakes this.
        let mut due = pin!(app.callback_due.notified());
        due.as_mut().enable();
        // The semaphore is never closed.
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        if let Some(claim) = claim(&app, &worker).await {
            let app = Arc::clone(&app);
            calls.spawn(async move {
                attempt::run(&app, claim).await;
                drop(slot);
            });
            continue;
        }
        drop(slot);
        tokio::select! {
            () = app.stopping.cancelled() => {}
            () = due => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            _ = missed.tick() => find_missed(&app).await,
        }
    }
    let ended = async { while calls.join_next().await.is_some() {} };
    // Dropped, the others are aborted.
    let _ = timeout(app.config.stop_grace, ended).await;
}

/// Takes back what an earlier process had claimed. No callback is claimed before this is done.
async fn recover(app: &App) {
    while !app.stopping.is_cancelled() {
        match app.store.recover_callbacks(app.clock.now()).await {
            Ok(_) => return,
            Err(error) => {
                tracing::error!(%error, "cannot take back the callbacks of an earlier process; will try again")
            }
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn find_missed(app: &App) {
    match app.store.find_missed_callbacks(app.clock.now()).await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "found tasks that had ended and whose callbacks were not due yet"),
        Err(error) => tracing::warn!(%error, "cannot look for missed callbacks; will try again"),
    }
}

async fn claim(app: &App, worker: &str) -> Option<CallbackClaim> {
    let lease = app.config.callback_timeout + LEASE_MARGIN;
    match app.store.claim_callback(worker, lease, app.clock.now()).await {
        Ok(claim) => claim,
        Err(error) => {
            tracing::error!(%error, "cannot claim a callback");
            None
        }
    }
}
