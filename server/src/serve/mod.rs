//! Builds the parts of the service, starts them and stops them.

mod fd_limit;
mod lock;
mod signals;
pub(crate) mod signing_keys;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::App;
use crate::blobs::Blobs;
use crate::callback_worker;
use crate::callbacks::Caller;
use crate::clock::Clock;
use crate::config::Config;
use crate::direct_links;
use crate::listen::Listener;
use crate::media::Toolbox;
use crate::metrics::Metrics;
use crate::private_dir::create_private_dir;
use crate::readiness::Readiness;
use crate::router;
use crate::store::Store;
use crate::tls::Certificates;
use crate::upload_locks::UploadLocks;
use crate::upload_turns::UploadTurns;
use crate::worker;
pub(crate) use lock::DataDirLock;

/// How long to wait for connections after they were aborted.
const ABORT_GRACE: Duration = Duration::from_secs(1);

/// How long the start waits for the first test of the object store.
const STORE_TEST_TIME: Duration = Duration::from_secs(5);

/// Why a service did not start.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

/// A running service.
pub struct RunningServer {
    /// The base URL of its links.
    pub url: String,
    /// The URL that it listens on: scheme, address and port; empty if it only runs tasks.
    pub local_url: String,
    /// The address of metrics, if there is one.
    pub metrics_address: Option<SocketAddr>,
    /// The URL of the operator's page, if there is one.
    pub admin_url: Option<String>,
    /// The shared state.
    pub app: Arc<App>,
    certificates: Option<Arc<Certificates>>,
    workers: JoinSet<()>,
    connections: TaskTracker,
    abort: CancellationToken,
    _lock: DataDirLock,
}

impl RunningServer {
    /// Opens the data directory, listens and starts the workers.
    ///
    /// # Errors
    /// If the configuration is invalid, the data directory cannot be opened or is served by another process, or the address is not
    /// available.
    pub async fn start(config: Config, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        let tools = Toolbox::find(&config).await;
        Self::start_with_tools(config, clock, tools).await
    }

    /// As [`RunningServer::start`], with tools that were found before; finding them starts processes and takes time.
    ///
    /// # Errors
    /// As [`RunningServer::start`].
    pub async fn start_with_tools(
        config: Config,
        clock: Arc<dyn Clock>,
        tools: Toolbox,
    ) -> Result<Self, StartError> {
        config.check()?;
        fd_limit::raise(config.max_connections);
        create_private_dir(&config.data)?;
        let lock = DataDirLock::take(&config.data)?;
        let certificates =
            if config.dev || !config.role.serves() { None } else { Some(Certificates::open(&config)?) };
        let tls = certificates.as_ref().map(Certificates::server_config).transpose()?.map(TlsAcceptor::from);
        let listener = if config.role.serves() { Some(bind(config.listen).await?) } else { None };
        let local_url = match &listener {
            Some(listener) => local_url(listener.local_addr()?, config.dev),
            None => String::new(),
        };
        let operator = bind_optional(config.metrics_listen).await?;
        let admin = bind_optional(config.admin_listen).await?;
        let dev = config.dev;
        let app = Arc::new(open(config, clock, tools, &local_url).await?);
        let mut workers = worker::start(&app);
        workers.spawn(signing_keys::watch(Arc::clone(&app)));
        workers.spawn(signals::relay(Arc::clone(&app)));
        workers.spawn(callback_worker::run(Arc::clone(&app)));
        test_store(&app, &mut workers).await;
        let abort = CancellationToken::new();
        let connections = TaskTracker::new();
        let metrics_address = operator.as_ref().map(TcpListener::local_addr).transpose()?;
        let admin_address = admin.as_ref().map(TcpListener::local_addr).transpose()?;
        let serve = |listener, tls, router| {
            connections
                .spawn(Listener { app: Arc::clone(&app), tls, router, abort: abort.clone() }.run(listener));
        };
        if let Some(operator) = operator {
            serve(operator, None, router::operator(&app));
        }
        if let Some(admin) = admin {
            serve(admin, tls.clone(), router::admin(&app));
        }
        if let Some(listener) = listener {
            serve(listener, tls, router::router(&app));
        }
        connections.close();
        let url = app.public_url.clone();
        Ok(Self {
            url,
            local_url,
            metrics_address,
            admin_url: admin_address.map(|address| self::local_url(address, dev)),
            app,
            certificates,
            workers,
            connections,
            abort,
            _lock: lock,
        })
    }

    /// Reloads the certificate.
    ///
    /// # Errors
    /// If the files cannot be loaded; the service keeps its current certificate.
    pub fn reload(&self) -> std::io::Result<()> {
        self.certificates.as_ref().map_or(Ok(()), |certificates| certificates.reload())
    }

    /// The SHA-256 of the certificate; `None` with plain HTTP.
    pub fn fingerprint(&self) -> Option<String> {
        self.certificates.as_ref().map(|certificates| certificates.fingerprint())
    }

    /// Stops: begins no more tasks, answers requests for `drain`, then accepts no more work, and gives running tasks and requests
    /// `stop_grace` to finish.
    pub async fn stop(mut self) {
        self.app.draining.cancel();
        if self.app.config.role.serves() {
            tokio::time::sleep(self.app.config.drain).await;
        }
        self.app.stopping.cancel();
        let ended = async { while self.workers.join_next().await.is_some() {} };
        let ((), answered) =
            tokio::join!(ended, timeout(self.app.config.stop_grace, self.connections.wait()));
        if answered.is_err() {
            self.abort.cancel();
            let _ = timeout(ABORT_GRACE, self.connections.wait()).await;
        }
    }
}

/// Dropping a service without [`RunningServer::stop`] closes it too.
impl Drop for RunningServer {
    fn drop(&mut self) {
        self.app.stopping.cancel();
        self.abort.cancel();
    }
}

/// Opens what the parts share. A shared database brings its own clock.
async fn open(
    config: Config,
    clock: Arc<dyn Clock>,
    tools: Toolbox,
    local_url: &str,
) -> Result<App, StartError> {
    let store = Store::of(&config).await?;
    let clock = store.clock().unwrap_or(clock);
    Ok(App {
        public_url: config.public_url.clone().unwrap_or_else(|| local_url.to_owned()),
        signer: signing_keys::open(&config, &store).await?,
        store,
        blobs: Blobs::open(&config.data, config.blobs.as_ref(), clock.now())?,
        clock,
        upload_locks: UploadLocks::default(),
        direct_uploads: AtomicBool::new(false),
        direct_downloads: AtomicBool::new(false),
        upload_turns: UploadTurns::default(),
        tools,
        readiness: Readiness::default(),
        metrics: Metrics::default(),
        queued: Notify::new(),
        canceled: Notify::new(),
        caller: Caller::new(config.allow_private_callbacks, config.callback_timeout),
        callback_due: Notify::new(),
        draining: CancellationToken::new(),
        stopping: CancellationToken::new(),
        config,
    })
}

/// Starts the test of the object store, and waits for its first result. If that takes long, only the links of the first files depend on it.
async fn test_store(app: &Arc<App>, workers: &mut JoinSet<()>) {
    let (tested, first_test) = oneshot::channel();
    workers.spawn(direct_links::test(Arc::clone(app), tested));
    let _ = timeout(STORE_TEST_TIME, first_test).await;
}

async fn bind_optional(address: Option<SocketAddr>) -> std::io::Result<Option<TcpListener>> {
    match address {
        Some(address) => bind(address).await.map(Some),
        None => Ok(None),
    }
}

async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let named = |error: std::io::Error| std::io::Error::new(error.kind(), format!("{address}: {error}"));
    TcpListener::bind(address).await.map_err(named)
}

fn local_url(address: SocketAddr, dev: bool) -> String {
    let scheme = if dev { "http" } else { "https" };
    if address.ip().is_unspecified() {
        return format!("{scheme}://localhost:{}", address.port());
    }
    format!("{scheme}://{address}")
}
