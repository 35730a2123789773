//! Puts the parts together and runs them until they are told to stop.

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

/// How often it is looked whether the signing keys were replaced.
const KEY_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How long closed connections may take to be gone once they were told.
const ABORT_GRACE: Duration = Duration::from_secs(1);

/// Why a service did not start.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

/// A service that accepts requests.
pub struct RunningServer {
    /// The base of its links.
    pub url: String,
    /// Where it listens: `https://` or `http://`, address and port.
    pub local_url: String,
    /// Where the operator's address is, if it has one.
    pub metrics_address: Option<SocketAddr>,
    /// Its parts.
    pub app: Arc<App>,
    certificates: Option<Arc<Certificates>>,
    workers: JoinSet<()>,
    connections: TaskTracker,
    abort: CancellationToken,
    _lock: DataDirLock,
}

impl RunningServer {
    /// Opens everything under `config.data`, listens, starts the workers.
    ///
    /// # Errors
    /// A configuration that does not fit together; data that cannot be opened or that another process serves; an address that
    /// cannot be listened on.
    pub async fn start(config: Config, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        let tools = Toolbox::find(&config).await;
        Self::start_with_tools(config, clock, tools).await
    }

    /// As [`RunningServer::start`], with tools that were looked for before: that takes processes and a while.
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

    /// Reads the certificate again.
    ///
    /// # Errors
    /// The files are of no use; the service goes on with the certificate that it has.
    pub fn reload(&self) -> std::io::Result<()> {
        self.certificates.as_ref().map_or(Ok(()), |certificates| certificates.reload())
    }

    /// The SHA-256 of the certificate; none with plain HTTP.
    pub fn fingerprint(&self) -> Option<String> {
        self.certificates.as_ref().map(|certificates| certificates.fingerprint())
    }

    /// Takes no more work in, lets what runs finish within `stop_grace`, and ends.
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

/// A service that is not stopped, but dropped, closes as well.
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
            Ok(true) => tracing::info!("signs with a new key"),
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
