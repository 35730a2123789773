//! Folders to work in.

use std::io;
use std::path::{Path, PathBuf};

use super::{Blobs, blocking, drop_in_background};
use crate::private_dir::create_private_dir;

/// A folder for the files of one attempt at a task; dropped, it is deleted.
#[derive(Debug)]
pub struct ScratchDir {
    folder: Option<RemoveOnDrop>,
    path: PathBuf,
}

/// Deletes the folder as it is dropped.
#[derive(Debug)]
struct RemoveOnDrop(PathBuf);

impl Blobs {
    /// A new folder for an attempt; what was left there is deleted first.
    ///
    /// # Errors
    ///
    /// Where it cannot be made; [`io::ErrorKind::StorageFull`] where the disk is full.
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
    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Deletes it now; what cannot be deleted is left to the sweep.
    pub async fn delete(mut self) {
        let folder = self.folder.take();
        let deleted = tokio::task::spawn_blocking(move || drop(folder));
        if let Err(error) = deleted.await {
            tracing::warn!(%error, "a scratch folder was not deleted");
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
                tracing::warn!(folder = %self.0.display(), %error, "a scratch folder was not deleted");
            }
            _ => {}
        }
    }
}
