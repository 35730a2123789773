//! A complete service in this process, with its workers, called through its router or over TLS.

use std::sync::Arc;
use std::time::Duration;

use filepress::remote::{Clock, Credentials, Millis};
use filepress_server::clock::{Clock as _, SystemClock};
use filepress_server::config::Config;
use filepress_server::http::api_key::ApiKey;
use filepress_server::media::Toolbox;
use filepress_server::serve::RunningServer;
use filepress_server::store::records::KeyRights;
use tempfile::TempDir;
use time::PrimitiveDateTime;
use time::macros::format_description;
use tokio::sync::OnceCell;
use tokio::time::Instant;

/// What the machine has is the same for all tests, and takes a while to find.
static TOOLS: OnceCell<Toolbox> = OnceCell::const_new();

pub(crate) struct Service {
    pub(crate) running: RunningServer,
    pub(crate) key: String,
    pub(crate) data: TempDir,
}

impl Service {
    pub(crate) async fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut config = Config::new(data.path());
        config.program = Some(env!("CARGO_BIN_EXE_filepress-server").into());
        config.min_free_disk = 0;
        config.heavy_workers = 0;
        (config.rate_limit, config.rate_burst) = (1_000_000, 1_000_000);
        let tools = TOOLS.get_or_init(|| Toolbox::find(&config)).await.clone();
        let running = RunningServer::start_with_tools(config, Arc::new(SystemClock), tools).await.unwrap();
        let (store, now) = (&running.app.store, SystemClock.now());
        let user = store.user_for_email("one@example.org", "One", now).await.unwrap().id;
        let key = ApiKey::generate().unwrap();
        store.add_key(&user, key.prefix(), &key.hash(), &KeyRights::default(), now).await.unwrap();
        Self { running, key: key.expose().to_owned(), data }
    }

    pub(crate) fn key(&self) -> Credentials {
        Credentials::Key(self.key.clone())
    }
}

/// The time as it passes.
pub(crate) struct PassingTime(Instant);

impl PassingTime {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for PassingTime {
    fn now(&self) -> Millis {
        self.0.elapsed().as_secs_f64() * 1000.0
    }

    async fn sleep(&self, time: Millis) {
        // Without a bound it may be infinite.
        tokio::time::sleep(Duration::from_secs_f64((time / 1000.0).min(1e9))).await;
    }

    fn time_until(&self, date: &str) -> Option<Millis> {
        until(date, time::OffsetDateTime::now_utc().unix_timestamp())
    }

    fn random(&self) -> f64 {
        0.5
    }
}

/// How long it is from a moment, in seconds since 1970, to a date of HTTP.
pub(crate) fn until(date: &str, now: i64) -> Option<Millis> {
    let format = format_description!(
        "[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT"
    );
    let moment = PrimitiveDateTime::parse(date, format).ok()?.assume_utc().unix_timestamp();
    Some((moment - now).max(0) as Millis * 1000.0)
}
