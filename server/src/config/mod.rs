//! The configuration of the service, with all defaults filled in. [`settings`] reads it from flags, the environment and a file.

mod check;
mod data_folder;
mod database;
mod from_settings;
mod logging;
mod object_store;
mod role;
mod settings;
mod settings_file;
mod units;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

pub use check::ConfigError;
pub use data_folder::DataFolder;
pub use database::DatabaseUrl;
pub use logging::{LogFormat, LogLevel, LogSettings};
pub use object_store::{ObjectStoreConfig, ObjectStoreUrl};
pub use role::Role;
pub use settings::Settings;
pub(crate) use units::DurationText;

/// The value of every setting.
#[derive(Debug, Clone)]
pub struct Config {
    /// The directory of the database, the files and the signing keys.
    pub data: PathBuf,
    /// What this server does. Default: everything.
    pub role: Role,
    /// The PostgreSQL database; `None`: an SQLite database in `data`.
    pub database_url: Option<DatabaseUrl>,
    /// The object store of the contents of files; `None`: they are in `data`.
    pub blobs: Option<ObjectStoreConfig>,
    /// The upload links lead to the object store itself. Default: no.
    pub direct_uploads: bool,
    /// Downloads are redirected to the object store itself. Default: no.
    pub direct_downloads: bool,
    /// The file of the signing keys; `None`: in `data`, or in the PostgreSQL database if there is one.
    pub signing_keys: Option<PathBuf>,
    /// The address to listen on; port 0 picks a free one.
    pub listen: SocketAddr,
    /// The address of metrics and health endpoints, for the operator; `None`: there is no such address.
    pub metrics_listen: Option<SocketAddr>,
    /// The address of the operator's page; `None`: there is no such page.
    pub admin_listen: Option<SocketAddr>,
    /// The base URL of all links; `None`: derived from `listen`.
    pub public_url: Option<String>,
    /// Serves plain HTTP; `listen` must be a loopback address.
    pub dev: bool,
    /// Certificate chain and private key, PEM; `None`: self-signed.
    pub tls: Option<TlsFiles>,
    /// Proxies whose `X-Forwarded-*` headers are trusted and that may use plain HTTP to this service.
    pub trusted_proxies: Vec<IpNet>,
    /// Origins whose pages may call the API.
    pub cors_origins: Vec<String>,
    /// The largest file size in bytes that a client may declare. Default 2 GiB.
    pub max_file_size: u64,
    /// Calls per minute and key, evenly spaced. Default 300.
    pub rate_limit: u32,
    /// Calls that a key may make at once after a pause; at most `rate_limit`. Default 50.
    pub rate_burst: u32,
    /// Waiting and running tasks per user. Default 100.
    pub max_pending_per_user: u32,
    /// Declared and stored bytes per user. Default: no limit except `min_free_disk`.
    pub max_bytes_per_user: Option<u64>,
    /// Processor time of a user's tasks per day (UTC). Default: no limit.
    pub max_cpu_per_user: Option<Duration>,
    /// Waiting tasks of all users together. Default 10 000.
    pub max_queue: u32,
    /// Image tasks (also one image to PDF) that run at once; 0 runs none. Default: the number of processors.
    pub image_workers: usize,
    /// Video, audio and other PDF tasks that run at once; 0 runs none. Default: half the number of processors, at least 1.
    pub heavy_workers: usize,
    /// New files and tasks are refused while fewer bytes of disk than this are free. Default 1 GiB.
    pub min_free_disk: u64,
    /// How long a file is kept after its upload. Default 48 h.
    pub retention: Duration,
    /// How long a task is kept after it ends; at least as long as its files. Default 7 days.
    pub task_retention: Duration,
    /// How long an entry of the log of keys is kept. Default 90 days.
    pub key_log_retention: Duration,
    /// How long a file record waits for its upload. Default 24 h.
    pub upload_retention: Duration,
    /// How long a signed URL is valid. Default 1 h.
    pub url_lifetime: Duration,
    /// How long a claim on a task lasts without a heartbeat. Default 60 s.
    pub lease: Duration,
    /// Callbacks may go to private networks, and there by plain HTTP. Default: no.
    pub allow_private_callbacks: bool,
    /// How long the call of a callback may take. Default 10 s.
    pub callback_timeout: Duration,
    /// The pause after the first failed call of a callback; it triples with each one. Default 10 s.
    pub callback_pause: Duration,
    /// Callbacks per user that were not delivered yet. Default 1000.
    pub max_callbacks_per_user: u32,
    /// How long a server that is to stop still answers requests, while `/readyz` says that it stops. Default 0.
    pub drain: Duration,
    /// How long running tasks may take to finish when the service stops; then they return to the queue. Default 30 s.
    pub stop_grace: Duration,
    /// Limits of one conversion.
    pub limits: ConversionLimits,
    /// The sandbox of the tools.
    pub sandbox: SandboxChoice,
    /// How long a TLS handshake may take. Default 10 s.
    pub handshake_timeout: Duration,
    /// How long a connection may be idle, take to send a request head, or take to send a JSON document. Default 30 s.
    pub idle_timeout: Duration,
    /// The slowest rate at which a client may send a file or read a response.
    pub min_transfer_rate: MinTransferRate,
    /// Connections at once; beyond that, a new one replaces the slowest. Default 1024.
    pub max_connections: usize,
    /// Connections per client address (IPv6: per /64); for clients behind a trusted proxy, requests at once. Default 256: many
    /// people may share an address, and a browser opens six connections.
    pub max_connections_per_address: usize,
    /// Connections per client address whose TLS handshake or first request head is not complete. Default 64.
    pub max_unfinished_per_address: usize,
    /// The executable that child processes are started from; `None`: this one.
    pub program: Option<PathBuf>,
}

/// The files of a certificate; SIGHUP reloads them.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// PEM, the leaf first.
    pub certificate: PathBuf,
    /// PEM: PKCS #8, PKCS #1 or SEC 1.
    pub key: PathBuf,
}

/// The minimum rate of a transfer.
#[derive(Debug, Clone, Copy)]
pub struct MinTransferRate {
    /// Bytes per second, averaged over the window. Default 2 KiB: the slowest mobile networks are faster.
    pub rate: u64,
    /// The window of the average. Default 60 s.
    pub window: Duration,
}

impl MinTransferRate {
    /// The bytes that must be transferred in each window; at least one.
    pub fn min_bytes(&self) -> u64 {
        ((self.rate as f64 * self.window.as_secs_f64()) as u64).max(1)
    }
}

/// Limits of one conversion.
#[derive(Debug, Clone, Copy)]
pub struct ConversionLimits {
    /// Wall-clock time of a video, audio or other PDF task. Default 30 min.
    pub time: Duration,
    /// Wall-clock time of an image task (also one image to PDF). Default 2 min.
    pub image_time: Duration,
    /// Bytes of memory of all processes together. Default 4 GiB.
    pub memory: u64,
    /// Processes and threads at once. Default 512.
    pub processes: u64,
    /// Bytes on disk of all files together, including the output. Default 12 GiB.
    pub disk: u64,
    /// Pixels of an image or of a frame. Default 100 million.
    pub pixels: u64,
    /// Frames of a video or an animation. Default 1 million.
    pub frames: u64,
    /// Duration of audio or video. Default 6 h.
    pub duration: Duration,
    /// Pages of a PDF. Default 2 000.
    pub pages: u32,
    /// Bytes of the output. Default 4 GiB.
    pub output: u64,
}

/// The sandbox of child processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxChoice {
    /// The strongest that works on this machine: bubblewrap, else Landlock with seccomp, else resource limits only.
    Auto,
    /// bubblewrap; without it no tool runs.
    Bubblewrap,
    /// Landlock and seccomp; without Landlock no tool runs.
    Landlock,
    /// Resource limits and seccomp only.
    Limits,
}

impl Config {
    /// The defaults, with data in `data`, on a free port of the loopback address.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            data: data.into(),
            role: Role::All,
            database_url: None,
            blobs: None,
            direct_uploads: false,
            direct_downloads: false,
            signing_keys: None,
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            metrics_listen: None,
            admin_listen: None,
            public_url: None,
            dev: false,
            tls: None,
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            max_file_size: 2 << 30,
            rate_limit: 300,
            rate_burst: 50,
            max_pending_per_user: 100,
            max_bytes_per_user: None,
            max_cpu_per_user: None,
            max_queue: 10_000,
            image_workers: processors,
            heavy_workers: (processors / 2).max(1),
            min_free_disk: 1 << 30,
            retention: Duration::from_secs(48 * 3600),
            task_retention: Duration::from_secs(7 * 24 * 3600),
            key_log_retention: Duration::from_secs(90 * 24 * 3600),
            upload_retention: Duration::from_secs(24 * 3600),
            url_lifetime: Duration::from_secs(3600),
            lease: Duration::from_secs(60),
            allow_private_callbacks: false,
            callback_timeout: Duration::from_secs(10),
            callback_pause: Duration::from_secs(10),
            max_callbacks_per_user: 1000,
            drain: Duration::ZERO,
            stop_grace: Duration::from_secs(30),
            limits: ConversionLimits::default(),
            sandbox: SandboxChoice::Auto,
            handshake_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(30),
            min_transfer_rate: MinTransferRate { rate: 2 << 10, window: Duration::from_secs(60) },
            max_connections: 1024,
            max_connections_per_address: 256,
            max_unfinished_per_address: 64,
            program: None,
        }
    }

    /// The path of the database file.
    pub fn database(&self) -> PathBuf {
        database(&self.data)
    }

    /// For how long a signed URL may be valid: that of a public file as long as the file is kept, that of a resumable upload as long as
    /// its record waits.
    pub(crate) fn longest_link(&self) -> Duration {
        self.url_lifetime.max(self.retention).max(self.upload_retention)
    }
}

/// The path of the database file in a data directory.
pub fn database(data: &std::path::Path) -> PathBuf {
    data.join("filepress.sqlite")
}

impl Default for ConversionLimits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(30 * 60),
            image_time: Duration::from_secs(120),
            memory: 4 << 30,
            processes: 512,
            disk: 12 << 30,
            pixels: 100_000_000,
            frames: 1_000_000,
            duration: Duration::from_secs(6 * 3600),
            pages: 2_000,
            output: 4 << 30,
        }
    }
}
