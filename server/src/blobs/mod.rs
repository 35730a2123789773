//! The contents of files on disk. Writes are atomic: bytes are written to a temporary file, synced, then renamed. A blob never changes.
//!
//! `DATA/blobs/<first two characters>/<name>` holds complete blobs, `DATA/incoming/` uploads in progress, and
//! `DATA/scratch/<task>-<attempt>/` the working directory of a conversion.

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

/// The blob store. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Blobs {
    data: PathBuf,
    opened: Timestamp,
}

/// A complete blob, synced to disk and published.
#[derive(Debug, Clone)]
pub struct StoredBlob {
    /// Its name, a UUID.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// The first 64 KiB ([`filepress_wire::SNIFF_BYTES`]).
    pub head: Vec<u8>,
}

impl Blobs {
    /// The path of a blob.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder("blobs").join(name.get(..2).unwrap_or(name)).join(name)
    }

    /// Deletes a blob. A missing blob is not an error.
    ///
    /// # Errors
    ///
    /// If the file exists and cannot be deleted.
    pub async fn remove(&self, name: &str) -> io::Result<()> {
        match tokio::fs::remove_file(self.path(name)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The free disk space in bytes that this process may use.
    ///
    /// # Errors
    ///
    /// If the file system does not report it.
    pub fn free_space(&self) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(&self.data)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// When the store was opened, by the clock of the file system. Incomplete files from before belong to an earlier process.
    pub fn opened(&self) -> Timestamp {
        self.opened
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.data.join(name)
    }
}

/// Runs blocking file operations off the async threads.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

/// Drops a value on a blocking thread: its `Drop` deletes files, which takes long for large ones.
fn drop_in_background<T: Send + 'static>(value: T) {
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn_blocking(move || drop(value));
    }
}

/// Syncs the entries of a directory to disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
