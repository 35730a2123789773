//! Where the keys of signed URLs are: in a file that was given, in the database if processes share one, else in the data directory.

use std::sync::Arc;
use std::time::Duration;

use super::StartError;
use crate::app::App;
use crate::clock::Timestamp;
use crate::config::Config;
use crate::signing::Signer;
use crate::store::Store;

/// How often to check whether the keys were replaced.
const INTERVAL: Duration = Duration::from_secs(1);

/// Reads the keys; creates the first one, except in a file that was given.
pub(super) async fn open(config: &Config, store: &Store) -> Result<Signer, StartError> {
    if let Some(path) = &config.signing_keys {
        return Ok(Signer::open_file(path)?);
    }
    if !store.is_shared() {
        return Ok(Signer::open(&config.data)?);
    }
    let (version, document) = document(store).await?;
    Ok(Signer::with_document(version, &document)?)
}

/// Replaces the key that signs. The others stay valid for `keep`.
///
/// # Errors
/// If the keys are in a file that was given, or cannot be read or written.
pub(crate) async fn rotate(
    config: &Config,
    store: &Store,
    keep: Duration,
    now: Timestamp,
) -> Result<(), StartError> {
    if let Some(path) = &config.signing_keys {
        return Err(format!("{} is replaced by whoever provides it", path.display()).into());
    }
    if !store.is_shared() {
        return Ok(Signer::rotate(&config.data, keep, now)?);
    }
    loop {
        let (version, keys) = document(store).await?;
        let rotated = Signer::rotated_document(&keys, keep, now)?;
        if store.replace_signing_keys(Some(version), &rotated).await? {
            return Ok(());
        }
    }
}

/// Stores the keys of a data directory in a shared database. If that has some, they stay, and those of the directory become old keys,
/// which are valid for `keep`.
///
/// # Errors
/// If the keys cannot be read or written.
pub(crate) async fn copy(
    config: &Config,
    target: &Store,
    keep: Duration,
    now: Timestamp,
) -> Result<(), StartError> {
    let Some(keys) = Signer::document(&config.data)? else { return Ok(()) };
    while !target.replace_signing_keys(None, &keys).await? {
        let (version, known) = document(target).await?;
        let Some(merged) = Signer::merged_document(&known, &keys, keep, now)? else { break };
        if target.replace_signing_keys(Some(version), &merged).await? {
            break;
        }
    }
    Ok(())
}

/// Takes over replaced keys until the service stops.
pub(super) async fn watch(app: Arc<App>) {
    let mut ticks = tokio::time::interval(INTERVAL);
    while app.stopping.run_until_cancelled(ticks.tick()).await.is_some() {
        match refresh(&app).await {
            Ok(true) => tracing::info!("signing URLs with a new key"),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "cannot read the signing keys"),
        }
    }
}

async fn refresh(app: &App) -> Result<bool, StartError> {
    if app.config.signing_keys.is_some() || !app.store.is_shared() {
        return Ok(app.signer.refresh()?);
    }
    match app.store.signing_keys().await? {
        Some((version, document)) => Ok(app.signer.update(version, &document)?),
        None => Err("the keys are gone from the database".into()),
    }
}

/// The document in the database; of several processes that find none, one creates it.
async fn document(store: &Store) -> Result<(i64, String), StartError> {
    loop {
        if let Some(found) = store.signing_keys().await? {
            return Ok(found);
        }
        store.replace_signing_keys(None, &Signer::first_document()?).await?;
    }
}
