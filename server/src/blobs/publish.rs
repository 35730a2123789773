//! Gives durable bytes their name.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use super::{Blobs, sync_folder};

impl Blobs {
    /// Puts a file under its name by `put` (a rename or a link), so that it is found there after a crash too.
    pub(super) fn publish(&self, name: &str, put: impl FnOnce(&PathBuf) -> io::Result<()>) -> io::Result<()> {
        let path = self.path(name);
        let Some(prefix_dir) = path.parent() else { return Err(io::ErrorKind::InvalidInput.into()) };
        match DirBuilder::new().mode(0o700).create(prefix_dir) {
            Ok(()) => sync_folder(&self.folder("blobs"))?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        put(&path)?;
        sync_folder(prefix_dir)
    }
}
