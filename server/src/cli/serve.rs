//! `serve`: from signal to signal.

use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};

use super::{Result, line, log};
use crate::clock::SystemClock;
use crate::config::Settings;
use crate::serve::Running;

pub(super) async fn run(settings: Settings) -> Result<()> {
    let settings = settings.with_file()?;
    log::start(settings.log());
    let config = settings.decide()?;
    if config.dev {
        tracing::warn!("dev: plain HTTP is allowed; never let anyone but this machine reach this address");
    }
    let (mut hangup, mut terminate, mut interrupt) =
        (signal(SignalKind::hangup())?, signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let self_signed = config.tls.is_none();
    let running = Running::start(config, Arc::new(SystemClock)).await?;
    for tool in running.app.tools.report() {
        match tool.version {
            Some(version) => tracing::info!(tool = tool.name, version, "found"),
            None => tracing::warn!(tool = tool.name, needed_for = tool.needed_for, "not found"),
        }
    }
    match running.fingerprint() {
        Some(sha256) if self_signed => {
            tracing::warn!(sha256, "the certificate is self-signed: compare its SHA-256")
        }
        Some(sha256) => tracing::info!(sha256, "certificate"),
        None => {}
    }
    tracing::info!(url = running.local_url, links = running.url, "listening");
    line(format_args!("listening on {}", running.local_url))?;
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
