//! Folders to work in.

use std::io;
use std::path::{Path, PathBuf};

use super::{Blobs, blocking, drop_aside};
use crate::private_dir::make_private;

/// A folder for the files of one attempt at a task; dropped, it is deleted.
#[derive(Debug)]
pub struct Scratch {
    folder: Option<Folder>,
    path: PathBuf,
}

/// Deletes the folder as it is dropped.
#[derive(Debug)]
struct Folder(PathBuf);

impl Blobs {
    /// A new folder for an attempt; what was left there is deleted first.
    ///
    /// # Errors
    ///
    /// Where it cannot be made; [`io::ErrorKind::StorageFull`] where the disk is full.
    pub async fn scratch(&self, task: &str, attempt: u32) -> io::Result<Scratch> {
        let path = self.folder("scratch").join(format!("{task}-{attempt}"));
        let folder = path.clone();
        let folder = blocking(move || {
            drop(Folder(folder.clone()));
            make_private(&folder)?;
            Ok(Folder(folder))
        })
        .await?;
        Ok(Scratch { folder: Some(folder), path })
    }
}

impl Scratch {
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

impl Drop for Scratch {
    fn drop(&mut self) {
        drop_aside(self.folder.take());
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        match std::fs::remove_dir_all(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(folder = %self.0.display(), %error, "a scratch folder was not deleted");
            }
            _ => {}
        }
    }
}
