//! The bytes of files on disk: written beside, made durable, then named. A name is never written twice.
//!
//! `DATA/blobs/<first two characters>/<name>` holds what is whole, `DATA/incoming/` what is being received, and
//! `DATA/scratch/<task>-<attempt>/` what a conversion works with.

mod expired;
mod incoming;
mod open;
mod publish;
mod scratch;
mod store_output;

pub use incoming::IncomingBlob;
pub use scratch::ScratchDir;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::clock::Timestamp;

/// The folder of all bytes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Blobs {
    data: PathBuf,
    opened: Timestamp,
}

/// Bytes that were received whole and are durable and named.
#[derive(Debug, Clone)]
pub struct StoredBlob {
    /// Their name, a UUID.
    pub name: String,
    /// How many.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// The first 64 KiB ([`filepress_wire::SNIFF_BYTES`]).
    pub head: Vec<u8>,
}

impl Blobs {
    /// Where the bytes of this name are.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder("blobs").join(name.get(..2).unwrap_or(name)).join(name)
    }

    /// Deletes; no error where there are none.
    ///
    /// # Errors
    ///
    /// Where the file is there and cannot be deleted.
    pub async fn remove(&self, name: &str) -> io::Result<()> {
        match tokio::fs::remove_file(self.path(name)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Free bytes of the disk, as far as this process may use them.
    ///
    /// # Errors
    ///
    /// Where the file system does not tell.
    pub fn free_space(&self) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(&self.data)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// When they were opened, by the clock of the file system: what was written before is of a process that is dead.
    pub fn opened(&self) -> Timestamp {
        self.opened
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.data.join(name)
    }
}

/// Runs work on files where it may wait.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

/// Drops what deletes files as it is dropped, which takes a while for large ones, where it may wait.
fn drop_in_background<T: Send + 'static>(value: T) {
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn_blocking(move || drop(value));
    }
}

/// Makes what a folder lists durable.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
