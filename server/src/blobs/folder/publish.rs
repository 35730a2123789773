//! Publishes synced bytes under their final name.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use super::{Folder, sync_folder};

impl Folder {
    /// Moves a file to its final path with `put` (a rename or a link) and syncs the directory, so that it survives a crash.
    pub(super) fn publish(&self, name: &str, put: impl FnOnce(&PathBuf) -> io::Result<()>) -> io::Result<()> {
        let path = self.path(name);
        let Some(prefix_dir) = path.parent() else { return Err(io::ErrorKind::InvalidInput.into()) };
        match DirBuilder::new().mode(0o700).create(prefix_dir) {
            Ok(()) => sync_folder(&self.subfolder("blobs"))?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        put(&path)?;
        sync_folder(prefix_dir)
    }
}
