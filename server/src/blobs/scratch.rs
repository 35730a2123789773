//! Working directories of conversions.

use std::io;
use std::path::{Path, PathBuf};

use super::{blocking, drop_in_background};
use crate::private_dir::create_private_dir;

/// What tools may write.
const WORK: &str = "work";
/// What was fetched for them to read.
const INPUTS: &str = "inputs";

/// The working directory of one attempt at a task. Deleted on drop.
#[derive(Debug)]
pub struct ScratchDir {
    folder: Option<RemoveOnDrop>,
    work: PathBuf,
    inputs: PathBuf,
}

/// Deletes the directory on drop.
#[derive(Debug)]
struct RemoveOnDrop(PathBuf);

impl ScratchDir {
    /// Creates the directory; deletes an old one at that path first.
    pub(super) async fn create(path: PathBuf) -> io::Result<Self> {
        let folder = path.clone();
        let folder = blocking(move || {
            drop(RemoveOnDrop(folder.clone()));
            create_private_dir(&folder.join(WORK))?;
            create_private_dir(&folder.join(INPUTS))?;
            Ok(RemoveOnDrop(folder))
        })
        .await?;
        Ok(Self { folder: Some(folder), work: path.join(WORK), inputs: path.join(INPUTS) })
    }

    /// The directory that tools may write.
    pub fn path(&self) -> &Path {
        &self.work
    }

    /// The directory of inputs that were fetched.
    pub(super) fn inputs(&self) -> &Path {
        &self.inputs
    }

    /// Deletes the directory now. The garbage collector deletes what remains after an error.
    pub async fn delete(mut self) {
        let folder = self.folder.take();
        let deleted = tokio::task::spawn_blocking(move || drop(folder));
        if let Err(error) = deleted.await {
            tracing::warn!(%error, "cannot delete a scratch directory; the garbage collector will");
        }
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        drop_in_background(self.folder.take());
    }
}

impl Drop for RemoveOnDrop {
    fn drop(&mut self) {
        match std::fs::remove_dir_all(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(folder = %self.0.display(), %error, "cannot delete a scratch directory; the garbage collector will");
            }
            _ => {}
        }
    }
}
