//! What the service is told, decided: every default filled in. [`settings`] reads it from flags, environment and a file.

mod check;
mod logging;
mod settings;
mod units;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

pub use check::ConfigError;
pub use logging::{LogFormat, LogLevel, LogSettings};
pub use settings::{DataFolder, Settings};

/// Every setting, decided.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the database, the files and the keys for signatures are.
    pub data: PathBuf,
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The address of the metrics and health endpoints for the operator; none: they are not served apart.
    pub metrics_listen: Option<SocketAddr>,
    /// The base of every link; none: made from the address that is listened on.
    pub public_url: Option<String>,
    /// Plain HTTP, on loopback alone.
    pub dev: bool,
    /// Certificate chain and private key, PEM; none: self-signed.
    pub tls: Option<TlsFiles>,
    /// Proxies that may tell the client's address and scheme in `X-Forwarded-*`, and may speak plain HTTP to this service.
    pub trusted_proxies: Vec<IpNet>,
    /// Origins whose pages may call the API.
    pub cors_origins: Vec<String>,
    /// The most bytes that a file may declare. Default 2 GiB.
    pub max_file_size: u64,
    /// Calls a minute and key, spaced evenly. Default 300.
    pub rate_limit: u32,
    /// Calls of a key at once after a pause; never more than `rate_limit`. Default 50.
    pub rate_burst: u32,
    /// Tasks that a user may have waiting or running. Default 100.
    pub max_pending_per_user: u32,
    /// Declared and stored bytes of a user. Default: no bound but `min_free_disk`.
    pub max_bytes_per_user: Option<u64>,
    /// Processor time of a user's tasks in a day, UTC. Default: no bound.
    pub max_cpu_per_user: Option<Duration>,
    /// Tasks that may wait in all. Default 10 000.
    pub max_queue: u32,
    /// Image tasks that run at once; 0 leaves them waiting. Default: the number of processors.
    pub image_workers: usize,
    /// Video, audio and PDF tasks that run at once; 0 leaves them waiting. Default: half the number of processors, at least 1.
    pub heavy_workers: usize,
    /// Bytes of free disk below which nothing more is taken in. Default 1 GiB.
    pub min_free_disk: u64,
    /// How long a file is kept after its upload. Default 48 h.
    pub retention: Duration,
    /// How long a task is kept after its end; no shorter than its files are. Default 7 days.
    pub task_retention: Duration,
    /// How long a record waits for its upload. Default 24 h.
    pub upload_retention: Duration,
    /// How long a signed URL is valid. Default 1 h.
    pub url_lifetime: Duration,
    /// How long a claim on a task lasts without a heartbeat. Default 60 s.
    pub lease: Duration,
    /// How long running tasks may take to end when the service stops; then they go back into the queue. Default 30 s.
    pub stop_grace: Duration,
    /// Bounds of one conversion.
    pub limits: ConversionLimits,
    /// The strongest confinement to use: see [`SandboxChoice`].
    pub sandbox: SandboxChoice,
    /// How long a connection may take for its TLS handshake. Default 10 s.
    pub handshake_timeout: Duration,
    /// How long a connection may idle, take to send the head of a request, and then take to send a document. Default 30 s.
    pub idle_timeout: Duration,
    /// How slowly a client may send a file, or take an answer.
    pub min_transfer_rate: MinTransferRate,
    /// Connections at once; beyond, the slowest gives way to a new one. Default 1024.
    pub max_connections: usize,
    /// Connections of one address (IPv6: of one /64) at once; requests at once where a trusted proxy forwards them. Default 256: many
    /// people may share an address, and a browser opens six.
    pub max_connections_per_address: usize,
    /// Those of them whose TLS handshake or first head is not complete. Default 64: an honest one is complete within moments.
    pub max_unfinished_per_address: usize,
    /// The program that child processes are started from; none: this one.
    pub program: Option<PathBuf>,
}

/// A certificate from files; they are read again on SIGHUP.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// PEM, the leaf first.
    pub certificate: PathBuf,
    /// PEM: PKCS #8, PKCS #1 or SEC 1.
    pub key: PathBuf,
}

/// The least rate of a transfer.
#[derive(Debug, Clone, Copy)]
pub struct MinTransferRate {
    /// Bytes a second, on average over the window. Default 2 KiB: the slowest mobile networks bring more.
    pub rate: u64,
    /// How long a transfer may be slower. Default 60 s.
    pub window: Duration,
}

impl MinTransferRate {
    /// The bytes that have to pass in each window; at least one.
    pub fn min_bytes(&self) -> u64 {
        ((self.rate as f64 * self.window.as_secs_f64()) as u64).max(1)
    }
}

/// Bounds of one conversion.
#[derive(Debug, Clone, Copy)]
pub struct ConversionLimits {
    /// Wall-clock time. Default 30 min for video, audio and PDF; images 2 min (`image_time`).
    pub time: Duration,
    /// Wall-clock time of an image. Default 2 min.
    pub image_time: Duration,
    /// Bytes of memory of all its processes together. Default 4 GiB.
    pub memory: u64,
    /// Processes and threads at once. Default 512.
    pub processes: u64,
    /// Bytes on disk of all its files together, the output among them. Default 12 GiB.
    pub disk: u64,
    /// Pixels of an image or of a frame. Default 100 million.
    pub pixels: u64,
    /// Frames of a video or an animation. Default 1 million.
    pub frames: u64,
    /// Seconds of sound or pictures. Default 6 h.
    pub duration: Duration,
    /// Pages of a PDF. Default 2 000.
    pub pages: u32,
    /// Bytes of an output. Default 4 GiB.
    pub output: u64,
}

/// How children are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxChoice {
    /// The strongest that works here: bubblewrap, else Landlock with seccomp, else resource limits alone.
    Auto,
    /// bubblewrap or nothing runs.
    Bubblewrap,
    /// Landlock and seccomp.
    Landlock,
    /// Resource limits alone.
    Limits,
}

impl Config {
    /// The defaults, with everything under `data`, on a free port of loopback.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            data: data.into(),
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            metrics_listen: None,
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
            upload_retention: Duration::from_secs(24 * 3600),
            url_lifetime: Duration::from_secs(3600),
            lease: Duration::from_secs(60),
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

    /// The file of the database.
    pub fn database(&self) -> PathBuf {
        database(&self.data)
    }
}

/// The file of the database under a data folder.
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
