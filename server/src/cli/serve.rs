//! `serve`: starts the service, handles signals and stops it.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};

use super::drop_privileges::{self, Account};
use super::{Result, logging, print_line};
use crate::clock::SystemClock;
use crate::config::{Config, Settings};
use crate::media::readable_root;
use crate::serve::RunningServer;
use crate::telemetry::Telemetry;

/// Builds the configuration and switches to the user that is to serve.
pub(super) fn prepare(settings: Settings) -> Result<(Config, Option<Telemetry>)> {
    let settings = settings.with_file()?;
    let telemetry = settings.otlp_endpoint()?.map(Telemetry::new);
    logging::start(settings.log(), telemetry.as_ref());
    let config = settings.clone().into_config()?;
    check_secrets(&settings)?;
    drop_privileges::for_serve(&settings)?;
    drop_privileges::forbid_ptrace()?;
    if let Some(files) = &config.tls {
        check_readable("tls-certificate", &files.certificate)?;
        check_readable("tls-key", &files.key)?;
    }
    Ok((config, telemetry))
}

/// Checks that nothing secret is where the tools may read: a hostile file could have them write it into their output.
fn check_secrets(settings: &Settings) -> Result<()> {
    let secrets = [
        ("data", &settings.data),
        ("config", &settings.config),
        ("signing-keys", &settings.signing_keys),
        ("tls-key", &settings.tls_key),
    ];
    for (setting, path) in secrets {
        let Some(path) = path else { continue };
        if let Some(root) = readable_root(path)? {
            let path = path.display();
            return Err(format!("{setting}: {path} is below {root}, where the tools of conversions may read everything; move it, for example below /var/lib or /etc/filepress").into());
        }
    }
    Ok(())
}

/// Checks that this user can read a file: SIGHUP reloads it after root was dropped.
fn check_readable(setting: &str, path: &Path) -> Result<()> {
    match File::open(path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            let (path, user) = (path.display(), Account::current());
            Err(format!("{setting}: user {user} cannot read {path} and could not reload it on SIGHUP; give that user's group read permission (chgrp, chmod g+r) and access to the directories above it").into())
        }
        // Other errors are reported when the file is loaded.
        _ => Ok(()),
    }
}

/// Serves until a signal stops it.
pub(super) async fn run(config: Config, telemetry: Option<Telemetry>) -> Result<()> {
    if let Some(telemetry) = &telemetry {
        telemetry.start()?;
    }
    let served = serve(config).await;
    if let Some(telemetry) = telemetry {
        telemetry.stop().await;
    }
    served
}

async fn serve(config: Config) -> Result<()> {
    if config.dev {
        tracing::warn!(
            "dev is set: the service uses plain HTTP; make sure that only this machine can reach it"
        );
    }
    let (mut hangup, mut terminate, mut interrupt) =
        (signal(SignalKind::hangup())?, signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let self_signed = config.tls.is_none();
    let running = RunningServer::start(config, Arc::new(SystemClock)).await?;
    for tool in running.app.tools.report() {
        match tool.version {
            Some(version) => tracing::info!(tool = tool.name, version, "found a tool"),
            None => tracing::warn!(tool = tool.name, needed_for = tool.needed_for, "a tool is not installed"),
        }
    }
    let tools = &running.app.tools;
    let user = Account::current();
    tracing::info!(kind = tools.confinement(), %user, limits = tools.limits(), "sandbox of the tools");
    match running.fingerprint() {
        Some(sha256) if self_signed => {
            tracing::warn!(sha256, "the certificate is self-signed; clients must verify its SHA-256")
        }
        Some(sha256) => tracing::info!(sha256, "certificate"),
        None => {}
    }
    tracing::info!(url = running.local_url, links = running.url, "listening");
    if let Some(url) = &running.admin_url {
        tracing::info!(url, "the operator's page");
    }
    match running.local_url.as_str() {
        "" => print_line("working")?,
        url => print_line(format_args!("listening on {url}"))?,
    }
    loop {
        tokio::select! {
            _ = hangup.recv() => match running.reload() {
                Ok(()) => tracing::info!(sha256 = running.fingerprint(), "reloaded the certificate"),
                Err(error) => tracing::error!(%error, "cannot reload the certificate; the old one stays in use"),
            },
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
        }
    }
    tracing::info!("stopping; a second signal stops at once");
    tokio::select! {
        () = running.stop() => tracing::info!("stopped"),
        _ = terminate.recv() => tracing::warn!("stopped at once by a second signal"),
        _ = interrupt.recv() => tracing::warn!("stopped at once by a second signal"),
    }
    Ok(())
}
