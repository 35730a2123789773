//! Locks the data directory: a second serving process would treat the first one's tasks as abandoned.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

/// The lock of a data directory, released on drop or when the process ends.
pub(crate) struct DataDirLock(#[expect(dead_code, reason = "holds the lock while it is open")] File);

impl DataDirLock {
    /// Takes the lock of a data directory.
    pub(crate) fn take(data: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(data.join("lock"))?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|_| {
            let text = format!("another process already serves {}", data.display());
            io::Error::new(io::ErrorKind::ResourceBusy, text)
        })?;
        Ok(Self(file))
    }
}
