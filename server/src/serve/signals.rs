//! Wakes this process's workers, and who calls callbacks, by what other processes do with a shared database.

use std::sync::Arc;

use crate::app::App;
use crate::store::Signal;

/// Relays signals until the service stops. Returns at once if no other process has a part in the database.
pub(super) async fn relay(app: Arc<App>) {
    let Some(mut signals) = app.store.signals() else { return };
    while let Some(received) = app.stopping.run_until_cancelled(signals.next()).await {
        for signal in received {
            match signal {
                Signal::Queued => app.queued.notify_waiters(),
                Signal::Canceled => app.canceled.notify_waiters(),
                Signal::CallbackDue => app.callback_due.notify_waiters(),
            }
        }
    }
}
