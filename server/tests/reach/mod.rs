//! Copies the binary to where other users can execute it: a checkout under `/root` is closed to them.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The binary, or a copy that is deleted with this value.
pub(crate) struct Binary {
    pub(crate) path: PathBuf,
    _folder: Option<TempDir>,
}

impl Binary {
    /// Copies the binary only where it has to be.
    pub(crate) fn find() -> Self {
        let built = Path::new(env!("CARGO_BIN_EXE_filepress-server"));
        let is_open = |folder: &Path| fs::metadata(folder).unwrap().permissions().mode() & 0o001 != 0;
        if !rustix::process::geteuid().is_root() || built.ancestors().all(is_open) {
            return Self { path: built.to_owned(), _folder: None };
        }
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let path = folder.path().join("filepress-server");
        // By another process: a file that a thread of this one has just written is busy while others start children.
        assert!(Command::new("cp").arg(built).arg(&path).status().unwrap().success());
        Self { path, _folder: Some(folder) }
    }
}
