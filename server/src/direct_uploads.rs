//! Tests the object store before clients upload to it: the link of an upload must allow nothing else. Until the test has passed, uploads go
//! through the server.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::app::App;

/// The time between two tests of a store that does not answer.
const RETRY: Duration = Duration::from_secs(10);

/// Tests the object store once; whether that had a result, or none is needed.
pub(crate) async fn test(app: &App) -> bool {
    if !app.config.direct_uploads || !app.config.role.serves() {
        return true;
    }
    match app.blobs.upload_urls_are_safe(app.clock.now()).await {
        Ok(true) => app.direct_uploads.store(true, Ordering::Relaxed),
        Ok(false) => tracing::error!(
            "direct-uploads: the object store obeys headers that are not signed, so clients could read other objects; uploads go through the server"
        ),
        Err(error) => {
            tracing::warn!(%error, "direct-uploads: cannot test the object store; uploads go through the server");
            return false;
        }
    }
    true
}

/// Repeats the test until it has a result.
pub(crate) async fn retry(app: Arc<App>) {
    let tested = async {
        loop {
            tokio::time::sleep(RETRY).await;
            if test(&app).await {
                return;
            }
        }
    };
    app.stopping.run_until_cancelled(tested).await;
}
