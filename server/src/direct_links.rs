//! Tests the object store before clients are sent there: the link of an upload must not copy other objects, and the link of a download must
//! work. Until a test has passed, the bytes go through the server.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::app::App;

/// The time after the first test of a store that does not answer as expected. It doubles with each test.
const FIRST_RETRY: Duration = Duration::from_secs(10);
const MAX_RETRY: Duration = Duration::from_secs(300);

/// Tests the object store until every test that the settings ask for has a result. `tested` hears of the end of the first round.
pub(crate) async fn test(app: Arc<App>, tested: oneshot::Sender<()>) {
    let mut tested = Some(tested);
    let (serves, config) = (app.config.role.serves(), &app.config);
    let mut waiting =
        Waiting { uploads: serves && config.direct_uploads, downloads: serves && config.direct_downloads };
    let rounds = async {
        let mut pause = FIRST_RETRY;
        loop {
            waiting.round(&app).await;
            tested.take();
            if !waiting.uploads && !waiting.downloads {
                return;
            }
            tokio::time::sleep(pause).await;
            pause = MAX_RETRY.min(2 * pause);
        }
    };
    app.stopping.run_until_cancelled(rounds).await;
}

/// Which tests have no result yet.
struct Waiting {
    uploads: bool,
    downloads: bool,
}

impl Waiting {
    async fn round(&mut self, app: &App) {
        if self.uploads {
            let result = app.blobs.upload_urls_are_safe(app.clock.now()).await;
            self.uploads = !note("direct-uploads", &app.direct_uploads, result);
        }
        if self.downloads {
            let result = app.blobs.download_urls_work(app.clock.now()).await;
            self.downloads = !note("direct-downloads", &app.direct_downloads, result.map(|()| true));
        }
    }
}

/// Takes the result of a test; whether it has one.
fn note(setting: &str, passed: &AtomicBool, result: io::Result<bool>) -> bool {
    match result {
        Ok(true) => {
            passed.store(true, Ordering::Relaxed);
            tracing::info!(setting, "the object store has passed the test");
        }
        Ok(false) => tracing::error!(
            setting,
            "the object store obeys headers that are not signed, so clients could read other objects; this setting has no effect"
        ),
        Err(error) => {
            tracing::warn!(setting, %error, "the object store has not passed the test; this setting has no effect until it does");
            return false;
        }
    }
    true
}
