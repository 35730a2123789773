//! `serve`: from signal to signal.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};

use super::drop_privileges::{self, Account};
use super::{Result, logging, print_line};
use crate::clock::SystemClock;
use crate::config::{Config, Settings};
use crate::serve::RunningServer;

/// Decides the settings, and becomes who serves.
pub(super) fn prepare(settings: Settings) -> Result<Config> {
    let settings = settings.with_file()?;
    logging::start(settings.log());
    let config = settings.clone().into_config()?;
    drop_privileges::for_serve(&settings)?;
    drop_privileges::forbid_ptrace()?;
    if let Some(files) = &config.tls {
        check_readable("tls-certificate", &files.certificate)?;
        check_readable("tls-key", &files.key)?;
    }
    Ok(config)
}

/// That a file is for this user to read: SIGHUP has it read again, when nobody is root any more.
fn check_readable(setting: &str, path: &Path) -> Result<()> {
    match File::open(path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            let (path, user) = (path.display(), Account::current());
            Err(format!("{setting}: {user} cannot read {path}, but serves, and reads it again on SIGHUP: let that user's group read it (chgrp, chmod g+r), and pass through the folders above it").into())
        }
        // Whatever else is wrong with it is told by who reads it.
        _ => Ok(()),
    }
}

/// Serves until a signal ends it.
pub(super) async fn run(config: Config) -> Result<()> {
    if config.dev {
        tracing::warn!("dev: plain HTTP is allowed; never let anyone but this machine reach this address");
    }
    let (mut hangup, mut terminate, mut interrupt) =
        (signal(SignalKind::hangup())?, signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let self_signed = config.tls.is_none();
    let running = RunningServer::start(config, Arc::new(SystemClock)).await?;
    for tool in running.app.tools.report() {
        match tool.version {
            Some(version) => tracing::info!(tool = tool.name, version, "found"),
            None => tracing::warn!(tool = tool.name, needed_for = tool.needed_for, "not found"),
        }
    }
    let tools = &running.app.tools;
    let user = Account::current();
    tracing::info!(kind = tools.confinement(), %user, limits = tools.limits(), "confinement of the tools");
    match running.fingerprint() {
        Some(sha256) if self_signed => {
            tracing::warn!(sha256, "the certificate is self-signed: compare its SHA-256")
        }
        Some(sha256) => tracing::info!(sha256, "certificate"),
        None => {}
    }
    tracing::info!(url = running.local_url, links = running.url, "listening");
    print_line(format_args!("listening on {}", running.local_url))?;
    loop {
        tokio::select! {
            _ = hangup.recv() => match running.reload() {
                Ok(()) => tracing::info!(sha256 = running.fingerprint(), "certificate was read again"),
                Err(error) => tracing::error!(%error, "certificate stays as it was"),
            },
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
        }
    }
    tracing::info!("stopping; another signal ends at once");
    tokio::select! {
        () = running.stop() => tracing::info!("stopped"),
        _ = terminate.recv() => tracing::warn!("ended at once"),
        _ = interrupt.recv() => tracing::warn!("ended at once"),
    }
    Ok(())
}
