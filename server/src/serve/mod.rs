//! Builds the parts of the service, starts them and stops them.

mod fd_limit;
mod lock;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::App;
use crate::blobs::Blobs;
use crate::clock::Clock;
use crate::config::Config;
use crate::listen::Listener;
use crate::media::Toolbox;
use crate::metrics::Metrics;
use crate::private_dir::create_private_dir;
use crate::readiness::Readiness;
use crate::router;
use crate::signing::Signer;
use crate::store::Store;
use crate::tls::Certificates;
use crate::worker;
use lock::DataDirLock;

/// How often to check whether the signing keys were replaced.
const KEY_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How long to wait for connections after they were aborted.
const ABORT_GRACE: Duration = Duration::from_secs(1);

/// Why a service did not start.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

/// A running service.
pub struct RunningServer {
    /// The base URL of its links.
    pub url: String,
    /// The URL that it listens on: scheme, address and port.
    pub local_url: String,
    /// The operator's address, if there is one.
    pub metrics_address: Option<SocketAddr>,
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
        let certificates = if config.dev { None } else { Some(Certificates::open(&config)?) };
        let tls = certificates.as_ref().map(Certificates::server_config).transpose()?.map(TlsAcceptor::from);
        let listener = bind(config.listen).await?;
        let local_url = local_url(listener.local_addr()?, config.dev);
        let operator = match config.metrics_listen {
            Some(address) => Some(bind(address).await?),
            None => None,
        };
        let app = Arc::new(App {
            public_url: config.public_url.clone().unwrap_or_else(|| local_url.clone()),
            clock,
            store: Store::open(&config.database()).await?,
            blobs: Blobs::open(&config.data)?,
            tools,
            signer: Signer::open(&config.data)?,
            readiness: Readiness::default(),
            metrics: Metrics::default(),
            queued: Notify::new(),
            canceled: Notify::new(),
            stopping: CancellationToken::new(),
            config,
        });
        let mut workers = worker::start(&app);
        workers.spawn(watch_keys(Arc::clone(&app)));
        let abort = CancellationToken::new();
        let connections = TaskTracker::new();
        let metrics_address = operator.as_ref().map(TcpListener::local_addr).transpose()?;
        let serve = |listener, tls, router| {
            connections
                .spawn(Listener { app: Arc::clone(&app), tls, router, abort: abort.clone() }.run(listener));
        };
        if let Some(operator) = operator {
            serve(operator, None, router::operator(&app));
        }
        serve(listener, tls, router::router(&app));
        connections.close();
        let url = app.public_url.clone();
        Ok(Self {
            url,
            local_url,
            metrics_address,
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

    /// Stops: accepts no more work, and gives running tasks and requests `stop_grace` to finish.
    pub async fn stop(mut self) {
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

async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let named = |error: std::io::Error| std::io::Error::new(error.kind(), format!("{address}: {error}"));
    TcpListener::bind(address).await.map_err(named)
}

async fn watch_keys(app: Arc<App>) {
    let mut ticks = tokio::time::interval(KEY_CHECK_INTERVAL);
    while app.stopping.run_until_cancelled(ticks.tick()).await.is_some() {
        match app.signer.refresh() {
            Ok(true) => tracing::info!("signing URLs with a new key"),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "cannot read the signing keys"),
        }
    }
}

fn local_url(address: SocketAddr, dev: bool) -> String {
    let scheme = if dev { "http" } else { "https" };
    if address.ip().is_unspecified() {
        return format!("{scheme}://localhost:{}", address.port());
    }
    format!("{scheme}://{address}")
}
