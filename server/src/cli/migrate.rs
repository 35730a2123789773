//! `migrate`: copies what a data directory has into a PostgreSQL database, an object store, or both. Nothing is changed in the source,
//! and what is in the target is left alone, so that it may be interrupted and started again.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{Result, drop_privileges, logging, print_line, users};
use crate::blobs::{BlobRef, Blobs};
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, Settings};
use crate::serve::{DataDirLock, signing_keys};
use crate::store::Store;
use crate::store::records::File;

/// Contents that are copied at once.
const AT_ONCE: usize = 8;

/// What became of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Copied,
    ThereBefore,
    /// Its row is there, its bytes are not.
    Missing,
}

/// Switches to the owner of the data directory.
pub(super) fn prepare(settings: Settings) -> Result<Config> {
    let settings = settings.with_file()?;
    logging::start(settings.log(), None);
    if settings.database.is_none() && settings.blobs.is_none() {
        return Err("nothing to migrate to: set --database, --blobs, or both".into());
    }
    drop_privileges::for_data_folder(&settings)?;
    Ok(settings.into_config()?)
}

pub(super) async fn run(config: Config) -> Result<()> {
    let path = config.database();
    if !path.try_exists()? {
        return Err(format!("{} does not exist", path.display()).into());
    }
    let _lock = DataDirLock::take(&config.data)?;
    let source = Store::open(&path).await?;
    // Whoever claimed a task is gone, as nobody serves the directory.
    source.recover(SystemClock.now()).await?;
    if config.blobs.is_some() {
        for (outcome, count) in copy_contents(&config, &source).await? {
            print_line(format_args!("{:<22} {count}", outcome.text()))?;
        }
    }
    if config.database_url.is_some() {
        // After the contents, so that no row is without its bytes.
        let target = Store::of(&config).await?;
        for (table, count) in source.copy_rows(&target).await? {
            print_line(format_args!("{table:<22} {count}"))?;
        }
        signing_keys::copy(&config, &target, config.longest_link(), users::now(&target)).await?;
    }
    Ok(())
}

/// Copies the contents of all files, and counts what became of them.
async fn copy_contents(config: &Config, source: &Store) -> Result<BTreeMap<Outcome, u64>> {
    let from = Blobs::open(&config.data, None, SystemClock.now())?;
    let target = Blobs::open(&config.data, config.blobs.as_ref(), SystemClock.now())?;
    let mut counts = BTreeMap::from([(Outcome::Copied, 0), (Outcome::ThereBefore, 0), (Outcome::Missing, 0)]);
    let mut last = String::new();
    loop {
        let files = source.files_with_content(&last).await?;
        let Some(newest) = files.last() else { return Ok(counts) };
        last.clone_from(&newest.id);
        let outcomes =
            stream::iter(&files).map(|file| copy_content(&from, &target, file)).buffer_unordered(AT_ONCE);
        for outcome in outcomes.try_collect::<Vec<_>>().await? {
            *counts.entry(outcome).or_default() += 1;
        }
    }
}

async fn copy_content(from: &Blobs, target: &Blobs, file: &File) -> Result<Outcome> {
    let (Some(name), Some(sha256)) = (&file.blob, &file.sha256) else { return Ok(Outcome::Missing) };
    let blob = BlobRef { name, size: file.size, sha256 };
    match from.copy_to(blob, target).await {
        Ok(true) => Ok(Outcome::Copied),
        Ok(false) => Ok(Outcome::ThereBefore),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            tracing::warn!(file = file.id, "a file has no content any more");
            Ok(Outcome::Missing)
        }
        Err(error) => Err(format!("file {}: {error}", file.id).into()),
    }
}

impl Outcome {
    fn text(self) -> &'static str {
        match self {
            Self::Copied => "contents copied",
            Self::ThereBefore => "contents there before",
            Self::Missing => "contents missing",
        }
    }
}
