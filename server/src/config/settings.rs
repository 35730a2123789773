//! The settings as they are given: a flag overrides the environment, which overrides the file (`settings_file.rs`), which overrides the
//! default.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};

use super::check::ConfigError;
use super::database::DatabaseUrl;
use super::logging::{LogFormat, LogLevel, LogSettings};
use super::object_store::ObjectStoreUrl;
use super::units::{ByteSize, DurationText, Network};
use super::{Role, SandboxChoice};

/// Every setting as it was given; `None` if it was not. A file uses the names of the flags.
#[derive(Debug, Clone, Default, Args, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// TOML file with any of the settings below
    #[arg(long, env = "FILEPRESS_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,
    /// Directory of the database, the files and the keys; only one process may serve it
    #[arg(long, env = "FILEPRESS_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// What this server does [default: all]
    #[arg(long, env = "FILEPRESS_ROLE", value_name = "ROLE", value_enum)]
    pub(crate) role: Option<Role>,
    /// PostgreSQL database, version 15 or later, that several servers may share [default: SQLite in `data`]
    #[arg(long, env = "FILEPRESS_DATABASE", value_name = "URL", hide_env_values = true)]
    pub(crate) database: Option<DatabaseUrl>,
    /// Object store of the contents of files, as s3://bucket/prefix; AWS_* in the environment say how it is reached [default: in `data`]
    #[arg(long, env = "FILEPRESS_BLOBS", value_name = "URL")]
    pub(crate) blobs: Option<ObjectStoreUrl>,
    /// Let clients upload to the object store itself, which they have to reach by HTTPS; see the README [default: false]
    #[arg(long, env = "FILEPRESS_DIRECT_UPLOADS", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) direct_uploads: Option<bool>,
    /// Redirect downloads to the object store itself, which clients have to reach by HTTPS; see the README [default: false]
    #[arg(long, env = "FILEPRESS_DIRECT_DOWNLOADS", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) direct_downloads: Option<bool>,
    /// File of the keys that sign URLs, such as a mounted secret [default: in `data`, or in the PostgreSQL database]
    #[arg(long, env = "FILEPRESS_SIGNING_KEYS", value_name = "FILE")]
    pub(crate) signing_keys: Option<PathBuf>,
    /// As root: switch to this user (name or number) before opening anything
    #[arg(long, env = "FILEPRESS_USER", value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// As root: keep running as root; `user` is then not needed [default: false]
    #[arg(long, env = "FILEPRESS_ALLOW_ROOT", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) allow_root: Option<bool>,
    /// Address to listen on; port 0 picks a free one [default: 127.0.0.1:8443]
    #[arg(long, env = "FILEPRESS_LISTEN", value_name = "ADDR")]
    pub(crate) listen: Option<SocketAddr>,
    /// Second address, plain HTTP: /metrics, /healthz, /readyz [default: none]
    #[arg(long, env = "FILEPRESS_METRICS_LISTEN", value_name = "ADDR")]
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// Address of the operator's page and its API, by HTTPS as `listen`; needs a key with the scope admin [default: none]
    #[arg(long, env = "FILEPRESS_ADMIN_LISTEN", value_name = "ADDR")]
    pub(crate) admin_listen: Option<SocketAddr>,
    /// Base URL of all links [default: derived from `listen`]
    #[arg(long, env = "FILEPRESS_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// Serve plain HTTP; only allowed on a loopback address [default: false]
    #[arg(long, env = "FILEPRESS_DEV", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) dev: Option<bool>,
    /// PEM file of the certificate chain, reloaded on SIGHUP [default: self-signed]
    #[arg(long, env = "FILEPRESS_TLS_CERTIFICATE", value_name = "FILE")]
    pub(crate) tls_certificate: Option<PathBuf>,
    /// PEM file of the private key, reloaded on SIGHUP
    #[arg(long, env = "FILEPRESS_TLS_KEY", value_name = "FILE")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Proxies that may use plain HTTP and whose X-Forwarded-For and X-Forwarded-Proto are trusted
    #[arg(long, env = "FILEPRESS_TRUSTED_PROXIES", value_name = "NETS", value_delimiter = ',')]
    pub(crate) trusted_proxies: Option<Vec<Network>>,
    /// Origins whose pages may call the API [default: none]
    #[arg(long, env = "FILEPRESS_CORS_ORIGINS", value_name = "ORIGINS", value_delimiter = ',')]
    pub(crate) cors_origins: Option<Vec<String>>,
    /// Largest file size that a client may declare [default: 2GiB]
    #[arg(long, env = "FILEPRESS_MAX_FILE_SIZE", value_name = "SIZE")]
    pub(crate) max_file_size: Option<ByteSize>,
    /// Calls per minute and key, evenly spaced [default: 300]
    #[arg(long, env = "FILEPRESS_RATE_LIMIT", value_name = "N")]
    pub(crate) rate_limit: Option<u32>,
    /// Calls that a key may make at once after a pause; at most rate-limit [default: 50]
    #[arg(long, env = "FILEPRESS_RATE_BURST", value_name = "N")]
    pub(crate) rate_burst: Option<u32>,
    /// Unfinished tasks per user [default: 100]
    #[arg(long, env = "FILEPRESS_MAX_PENDING_PER_USER", value_name = "N")]
    pub(crate) max_pending_per_user: Option<u32>,
    /// Declared and stored bytes per user [default: no limit]
    #[arg(long, env = "FILEPRESS_MAX_BYTES_PER_USER", value_name = "SIZE")]
    pub(crate) max_bytes_per_user: Option<ByteSize>,
    /// Processor time of a user's tasks per day, UTC [default: no limit]
    #[arg(long, env = "FILEPRESS_MAX_CPU_PER_USER", value_name = "TIME")]
    pub(crate) max_cpu_per_user: Option<DurationText>,
    /// Waiting tasks of all users together [default: 10000]
    #[arg(long, env = "FILEPRESS_MAX_QUEUE", value_name = "N")]
    pub(crate) max_queue: Option<u32>,
    /// Image tasks (also one image to PDF) that run at once; 0 runs none [default: one per processor]
    #[arg(long, env = "FILEPRESS_IMAGE_WORKERS", value_name = "N")]
    pub(crate) image_workers: Option<usize>,
    /// Video, audio and other PDF tasks that run at once; 0 runs none [default: one per two processors]
    #[arg(long, env = "FILEPRESS_HEAVY_WORKERS", value_name = "N")]
    pub(crate) heavy_workers: Option<usize>,
    /// Refuse new files and tasks when less disk space than this is free [default: 1GiB]
    #[arg(long, env = "FILEPRESS_MIN_FREE_DISK", value_name = "SIZE")]
    pub(crate) min_free_disk: Option<ByteSize>,
    /// How long a file is kept after its upload [default: 48h]
    #[arg(long, env = "FILEPRESS_RETENTION", value_name = "TIME")]
    pub(crate) retention: Option<DurationText>,
    /// How long a task is kept after it ends; at least as long as its files [default: 7d]
    #[arg(long, env = "FILEPRESS_TASK_RETENTION", value_name = "TIME")]
    pub(crate) task_retention: Option<DurationText>,
    /// How long an entry of the log of keys is kept [default: 90d]
    #[arg(long, env = "FILEPRESS_KEY_LOG_RETENTION", value_name = "TIME")]
    pub(crate) key_log_retention: Option<DurationText>,
    /// How long a file record waits for its upload [default: 24h]
    #[arg(long, env = "FILEPRESS_UPLOAD_RETENTION", value_name = "TIME")]
    pub(crate) upload_retention: Option<DurationText>,
    /// How long a signed URL is valid [default: 1h]
    #[arg(long, env = "FILEPRESS_URL_LIFETIME", value_name = "TIME")]
    pub(crate) url_lifetime: Option<DurationText>,
    /// How long a worker's claim on a task lasts without a heartbeat [default: 60s]
    #[arg(long, env = "FILEPRESS_LEASE", value_name = "TIME")]
    pub(crate) lease: Option<DurationText>,
    /// Let callbacks go to private networks, and there by plain HTTP [default: false]
    #[arg(long, env = "FILEPRESS_ALLOW_PRIVATE_CALLBACKS", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) allow_private_callbacks: Option<bool>,
    /// How long the call of a callback may take [default: 10s]
    #[arg(long, env = "FILEPRESS_CALLBACK_TIMEOUT", value_name = "TIME")]
    pub(crate) callback_timeout: Option<DurationText>,
    /// Pause after the first failed call of a callback; it triples with each one [default: 10s]
    #[arg(long, env = "FILEPRESS_CALLBACK_PAUSE", value_name = "TIME")]
    pub(crate) callback_pause: Option<DurationText>,
    /// Callbacks per user that were not delivered yet [default: 1000]
    #[arg(long, env = "FILEPRESS_MAX_CALLBACKS_PER_USER", value_name = "N")]
    pub(crate) max_callbacks_per_user: Option<u32>,
    /// Bytes per second, averaged over a minute; slower uploads and downloads are closed [default: 2KiB]
    #[arg(long, env = "FILEPRESS_MIN_TRANSFER_RATE", value_name = "SIZE")]
    pub(crate) min_transfer_rate: Option<ByteSize>,
    /// When the server is to stop: how long it still answers, while /readyz says that it stops [default: 0s]
    #[arg(long, env = "FILEPRESS_DRAIN", value_name = "TIME")]
    pub(crate) drain: Option<DurationText>,
    /// How long running tasks may take to finish when the service stops [default: 30s]
    #[arg(long, env = "FILEPRESS_STOP_GRACE", value_name = "TIME")]
    pub(crate) stop_grace: Option<DurationText>,
    /// How long a TLS handshake may take [default: 10s]
    #[arg(long, env = "FILEPRESS_HANDSHAKE_TIMEOUT", value_name = "TIME")]
    pub(crate) handshake_timeout: Option<DurationText>,
    /// How long a connection may be idle, or take to send a request head or a JSON document [default: 30s]
    #[arg(long, env = "FILEPRESS_IDLE_TIMEOUT", value_name = "TIME")]
    pub(crate) idle_timeout: Option<DurationText>,
    /// Connections at once; beyond that, a new one replaces the slowest [default: 1024]
    #[arg(long, env = "FILEPRESS_MAX_CONNECTIONS", value_name = "N")]
    pub(crate) max_connections: Option<usize>,
    /// Connections per address (IPv6: per /64) [default: 256]
    #[arg(long, env = "FILEPRESS_MAX_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub(crate) max_connections_per_address: Option<usize>,
    /// Connections per address that have not sent a request head yet [default: 64]
    #[arg(long, env = "FILEPRESS_MAX_UNFINISHED_PER_ADDRESS", value_name = "N")]
    pub(crate) max_unfinished_per_address: Option<usize>,
    /// Wall-clock time of a video, audio or other PDF task [default: 30m]
    #[arg(long, env = "FILEPRESS_TASK_TIME", value_name = "TIME")]
    pub(crate) task_time: Option<DurationText>,
    /// Wall-clock time of an image task (also one image to PDF) [default: 2m]
    #[arg(long, env = "FILEPRESS_IMAGE_TIME", value_name = "TIME")]
    pub(crate) image_time: Option<DurationText>,
    /// Memory of all processes of a task together [default: 4GiB]
    #[arg(long, env = "FILEPRESS_TASK_MEMORY", value_name = "SIZE")]
    pub(crate) task_memory: Option<ByteSize>,
    /// Processes and threads of a task [default: 512]
    #[arg(long, env = "FILEPRESS_TASK_PROCESSES", value_name = "N")]
    pub(crate) task_processes: Option<u64>,
    /// Disk space of all files of a task together, including the output [default: 12GiB]
    #[arg(long, env = "FILEPRESS_TASK_DISK", value_name = "SIZE")]
    pub(crate) task_disk: Option<ByteSize>,
    /// Pixels of an image or a frame [default: 100000000]
    #[arg(long, env = "FILEPRESS_MAX_PIXELS", value_name = "N")]
    pub(crate) max_pixels: Option<u64>,
    /// Frames of a video or an animation [default: 1000000]
    #[arg(long, env = "FILEPRESS_MAX_FRAMES", value_name = "N")]
    pub(crate) max_frames: Option<u64>,
    /// Duration of audio or video [default: 6h]
    #[arg(long, env = "FILEPRESS_MAX_DURATION", value_name = "TIME")]
    pub(crate) max_duration: Option<DurationText>,
    /// Pages of a PDF [default: 2000]
    #[arg(long, env = "FILEPRESS_MAX_PAGES", value_name = "N")]
    pub(crate) max_pages: Option<u32>,
    /// Size of an output [default: 4GiB]
    #[arg(long, env = "FILEPRESS_MAX_OUTPUT", value_name = "SIZE")]
    pub(crate) max_output: Option<ByteSize>,
    /// Sandbox of the tools [default: auto, the strongest that works]
    #[arg(long, env = "FILEPRESS_SANDBOX", value_name = "KIND", value_enum)]
    pub(crate) sandbox: Option<SandboxChoice>,
    /// Base URL of the collector of traces, by OTLP over HTTP, such as http://127.0.0.1:4318 [default: none]
    #[arg(long, env = "FILEPRESS_OTLP_ENDPOINT", value_name = "URL")]
    pub(crate) otlp_endpoint: Option<String>,
    /// Lowest severity of this program's events to log [default: info]
    #[arg(long, env = "FILEPRESS_LOG", value_name = "LEVEL", value_enum)]
    pub(crate) log: Option<LogLevel>,
    /// Format of the log lines [default: text]
    #[arg(long, env = "FILEPRESS_LOG_FORMAT", value_name = "FORMAT", value_enum)]
    pub(crate) log_format: Option<LogFormat>,
}

impl Settings {
    /// What to log, and how.
    pub fn log(&self) -> LogSettings {
        LogSettings { level: self.log.unwrap_or_default(), format: self.log_format.unwrap_or_default() }
    }

    /// The collector of traces, if there is one.
    ///
    /// # Errors
    /// [`ConfigError::Invalid`] if it is no URL of HTTP, or holds a name or password, which would not be sent.
    pub fn otlp_endpoint(&self) -> Result<Option<&str>, ConfigError> {
        let Some(url) = self.otlp_endpoint.as_deref() else { return Ok(None) };
        let fits = url.parse::<http::Uri>().is_ok_and(|uri| {
            matches!(uri.scheme_str(), Some("http" | "https"))
                && uri.authority().is_some_and(|authority| !authority.as_str().contains('@'))
                && uri.query().is_none()
        });
        // The value is not repeated: somebody may have put a password into it.
        let problem = "otlp-endpoint: not a base URL without a name and password; expected, for example, http://127.0.0.1:4318";
        if fits { Ok(Some(url)) } else { Err(ConfigError::Invalid(problem.into())) }
    }

    /// The database, if it is not SQLite.
    ///
    /// # Errors
    /// [`ConfigError::Invalid`] if it is not the URL of a database.
    pub fn database(&self) -> Result<Option<&DatabaseUrl>, ConfigError> {
        match self.database.as_ref().and_then(DatabaseUrl::problem) {
            Some(problem) => Err(ConfigError::Invalid(problem)),
            None => Ok(self.database.as_ref()),
        }
    }

    /// The data folder.
    ///
    /// # Errors
    /// [`ConfigError::Invalid`] if it was not given.
    pub fn data(&self) -> Result<&Path, ConfigError> {
        let missing =
            || ConfigError::Invalid("the data directory is not set; set it with --data DIR".to_owned());
        self.data.as_deref().ok_or_else(missing)
    }
}
