//! One serving process a data folder: two would take each other's work for that of the dead.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

/// Held as long as it lives; the system lets go of it when the process dies.
pub(super) struct DataDirLock(#[expect(dead_code, reason = "its life is its use")] File);

impl DataDirLock {
    /// Takes the lock of a data folder.
    pub(super) fn take(data: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(data.join("lock"))?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|_| {
            let text = format!("another process serves {}", data.display());
            io::Error::new(io::ErrorKind::ResourceBusy, text)
        })?;
        Ok(Self(file))
    }
}
