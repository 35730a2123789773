//! Working directories of conversions.

use std::io;
use std::path::{Path, PathBuf};

use super::{Blobs, blocking, drop_in_background};
use crate::private_dir::create_private_dir;

/// The working directory of one attempt at a task. Deleted on drop.
#[derive(Debug)]
pub struct ScratchDir {
    folder: Option<RemoveOnDrop>,
    path: PathBuf,
}

/// Deletes the directory on drop.
#[derive(Debug)]
struct RemoveOnDrop(PathBuf);

impl Blobs {
    /// Creates the directory of an attempt; deletes an old one of the same name first.
    ///
    /// # Errors
    ///
    /// If it cannot be created; [`io::ErrorKind::StorageFull`] if the disk is full.
    pub async fn scratch(&self, task: &str, attempt: u32) -> io::Result<ScratchDir> {
        let path = self.folder("scratch").join(format!("{task}-{attempt}"));
        let folder = path.clone();
        let folder = blocking(move || {
            drop(RemoveOnDrop(folder.clone()));
            create_private_dir(&folder)?;
            Ok(RemoveOnDrop(folder))
        })
        .await?;
        Ok(ScratchDir { folder: Some(folder), path })
    }
}

impl ScratchDir {
    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
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
