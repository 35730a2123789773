//! Directories that only their owner can access.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Creates a directory and its parents with mode 0700, if they do not exist.
pub(crate) fn create_private_dir(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
