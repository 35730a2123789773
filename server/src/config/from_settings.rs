//! Makes a configuration of the settings that were given: fills in the defaults, and checks the result.

use std::net::SocketAddr;

use super::check::ConfigError;
use super::object_store::ObjectStoreConfig;
use super::{Config, ConversionLimits, Settings, TlsFiles};

impl Settings {
    /// Fills in the defaults and checks the result.
    ///
    /// # Errors
    /// [`ConfigError::Invalid`] if a required setting is missing or settings contradict each other.
    pub fn into_config(self) -> Result<Config, ConfigError> {
        let mut config = Config::new(self.data()?);
        config.listen = SocketAddr::from(([127, 0, 0, 1], 8443));
        self.set_limits(&mut config.limits);
        set(&mut config.role, self.role);
        config.database_url = self.database()?.cloned();
        config.blobs = self.blobs.map(ObjectStoreConfig::from_environment);
        config.signing_keys = self.signing_keys;
        config.metrics_listen = self.metrics_listen;
        config.admin_listen = self.admin_listen;
        config.public_url = self.public_url.map(|url| url.trim_end_matches('/').to_owned());
        config.tls = match (self.tls_certificate, self.tls_key) {
            (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
            (None, None) => None,
            _ => {
                let problem = "tls-certificate and tls-key must be set together; one of them is missing";
                return Err(ConfigError::Invalid(problem.to_owned()));
            }
        };
        config
            .trusted_proxies
            .extend(self.trusted_proxies.unwrap_or_default().iter().map(|network| network.0));
        set(&mut config.listen, self.listen);
        set(&mut config.dev, self.dev);
        set(&mut config.direct_uploads, self.direct_uploads);
        set(&mut config.direct_downloads, self.direct_downloads);
        set(&mut config.cors_origins, self.cors_origins);
        set(&mut config.max_file_size, self.max_file_size);
        set(&mut config.rate_limit, self.rate_limit);
        set(&mut config.rate_burst, self.rate_burst);
        set(&mut config.max_pending_per_user, self.max_pending_per_user);
        config.max_bytes_per_user = self.max_bytes_per_user.map(Into::into);
        config.max_cpu_per_user = self.max_cpu_per_user.map(Into::into);
        set(&mut config.max_queue, self.max_queue);
        set(&mut config.image_workers, self.image_workers);
        set(&mut config.heavy_workers, self.heavy_workers);
        set(&mut config.min_free_disk, self.min_free_disk);
        set(&mut config.retention, self.retention);
        set(&mut config.task_retention, self.task_retention);
        set(&mut config.key_log_retention, self.key_log_retention);
        set(&mut config.upload_retention, self.upload_retention);
        set(&mut config.url_lifetime, self.url_lifetime);
        set(&mut config.lease, self.lease);
        set(&mut config.min_transfer_rate.rate, self.min_transfer_rate);
        set(&mut config.allow_private_callbacks, self.allow_private_callbacks);
        set(&mut config.callback_timeout, self.callback_timeout);
        set(&mut config.callback_pause, self.callback_pause);
        set(&mut config.max_callbacks_per_user, self.max_callbacks_per_user);
        set(&mut config.drain, self.drain);
        set(&mut config.stop_grace, self.stop_grace);
        set(&mut config.handshake_timeout, self.handshake_timeout);
        set(&mut config.idle_timeout, self.idle_timeout);
        set(&mut config.max_connections, self.max_connections);
        set(&mut config.max_connections_per_address, self.max_connections_per_address);
        set(&mut config.max_unfinished_per_address, self.max_unfinished_per_address);
        set(&mut config.sandbox, self.sandbox);
        config.check()?;
        Ok(config)
    }

    /// Sets the limits of conversions.
    fn set_limits(&self, limits: &mut ConversionLimits) {
        set(&mut limits.time, self.task_time);
        set(&mut limits.image_time, self.image_time);
        set(&mut limits.memory, self.task_memory);
        set(&mut limits.processes, self.task_processes);
        set(&mut limits.disk, self.task_disk);
        set(&mut limits.pixels, self.max_pixels);
        set(&mut limits.frames, self.max_frames);
        set(&mut limits.duration, self.max_duration);
        set(&mut limits.pages, self.max_pages);
        set(&mut limits.output, self.max_output);
    }
}

fn set<T>(target: &mut T, value: Option<impl Into<T>>) {
    if let Some(value) = value {
        *target = value.into();
    }
}
