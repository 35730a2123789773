//! Checks a configuration before anything is opened.

use std::path::PathBuf;
use std::time::Duration;

use super::{Config, Role};

/// Why a configuration is rejected.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {path}: {cause}", path = .0.display(), cause = .1)]
    File(PathBuf, std::io::Error),
    /// The file, or a setting in it, is malformed: the line and the problem. The text of the line may be a secret.
    #[error("{path}{line}: {problem}", path = .0.display(), line = .1.map(|line| format!(", line {line}")).unwrap_or_default(), problem = .2)]
    Syntax(PathBuf, Option<usize>, String),
    /// Settings are missing or contradict each other.
    #[error("{0}")]
    Invalid(String),
}

impl Config {
    /// Checks that the settings do not contradict each other.
    ///
    /// # Errors
    /// [`ConfigError::Invalid`] with a sentence for the operator.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.problem().map_or(Ok(()), |problem| Err(ConfigError::Invalid(problem)))
    }

    fn problem(&self) -> Option<String> {
        if self.dev && !self.listen.ip().is_loopback() {
            return Some(format!(
                "dev serves plain HTTP, so listen must be a loopback address such as 127.0.0.1, not {}",
                self.listen
            ));
        }
        if let Some(address) = self.admin_listen {
            if self.dev && !address.ip().is_loopback() {
                return Some(format!(
                    "dev serves plain HTTP, so admin-listen must be a loopback address, not {address}"
                ));
            }
            if !self.role.serves() {
                return Some("admin-listen: a server with the role worker has no operator's page".to_owned());
            }
        }
        if self.role != Role::All && (self.database_url.is_none() || self.blobs.is_none()) {
            return Some(
                "the roles api and worker share their work with others: set database and blobs".to_owned(),
            );
        }
        if let Some(problem) = self.direct_problem() {
            return Some(problem);
        }
        if let Some(url) = &self.public_url
            && let Some(problem) = url_problem(url, self.dev)
        {
            return Some(problem);
        }
        for origin in &self.cors_origins {
            // Compared with what browsers send, which has no path, no slash at the end and no name of a user.
            let is_origin = origin.parse::<http::Uri>().is_ok_and(|uri| {
                let parts = uri.scheme_str().zip(uri.authority().map(http::uri::Authority::as_str));
                parts.is_some_and(|(scheme, host)| {
                    *origin == format!("{scheme}://{host}") && !host.contains('@')
                })
            });
            if !is_origin {
                return Some(format!(
                    "cors-origins: {origin:?} is not an origin; expected, for example, https://example.org"
                ));
            }
        }
        let counts = self.counts();
        counts.iter().find(|(_, count)| *count == 0).map(|(name, _)| format!("{name} must be at least 1"))
    }

    /// The settings that must not be 0, in the unit that is least of what makes sense for each.
    fn counts(&self) -> [(&'static str, u64); 26] {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        [
            ("max-file-size", self.max_file_size),
            ("rate-limit", self.rate_limit.into()),
            ("rate-burst", self.rate_burst.into()),
            ("max-connections", self.max_connections as u64),
            ("max-connections-per-address", self.max_connections_per_address as u64),
            ("max-unfinished-per-address", self.max_unfinished_per_address as u64),
            ("min-transfer-rate", self.min_transfer_rate.rate),
            ("url-lifetime", self.url_lifetime.as_secs()),
            ("retention", self.retention.as_secs()),
            ("task-retention", self.task_retention.as_secs()),
            ("key-log-retention", self.key_log_retention.as_secs()),
            ("upload-retention", self.upload_retention.as_secs()),
            ("lease", self.lease.as_secs()),
            ("callback-timeout", self.callback_timeout.as_secs()),
            ("task-memory", self.limits.memory),
            ("task-processes", self.limits.processes),
            ("task-disk", self.limits.disk),
            ("task-time", milliseconds(self.limits.time)),
            ("image-time", milliseconds(self.limits.image_time)),
            ("max-output", self.limits.output),
            ("max-pixels", self.limits.pixels),
            ("max-frames", self.limits.frames),
            ("max-duration", milliseconds(self.limits.duration)),
            ("max-pages", self.limits.pages.into()),
            ("handshake-timeout", milliseconds(self.handshake_timeout)),
            ("idle-timeout", milliseconds(self.idle_timeout)),
        ]
    }

    /// Why clients may not be sent to the object store, where the settings want that.
    fn direct_problem(&self) -> Option<String> {
        let setting = match (self.direct_uploads, self.direct_downloads) {
            (true, _) => "direct-uploads",
            (false, true) => "direct-downloads",
            (false, false) => return None,
        };
        let problem = match &self.blobs {
            None => "there is no object store; set blobs",
            Some(store) if !self.dev && store.is_unencrypted() => {
                "clients would use plain HTTP; AWS_ENDPOINT_URL must begin with https:"
            }
            Some(_) => return None,
        };
        Some(format!("{setting}: {problem}"))
    }
}

fn url_problem(url: &str, dev: bool) -> Option<String> {
    let fits = url.parse::<http::Uri>().is_ok_and(|uri| {
        let scheme = uri.scheme_str();
        let allowed = scheme == Some("https") || (dev && scheme == Some("http"));
        allowed && uri.host().is_some() && uri.query().is_none()
    });
    (!fits).then(|| {
        format!("public-url: {url:?} is not a base URL; expected, for example, https://files.example.org")
    })
}
