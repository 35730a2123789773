//! Contents as files of a directory. Writes are atomic: bytes are written to a temporary file, synced, then renamed.
//!
//! `DATA/blobs/<first two characters>/<name>` holds complete contents, `DATA/incoming/` uploads in progress, and
//! `DATA/resumable/` those that may be continued.

mod expired;
mod incoming;
mod open;
mod partial;
mod publish;
mod store_output;

pub(super) use incoming::{IncomingFile, hex_digest};
pub(super) use partial::PartialFile;
pub(super) use store_output::open_regular;

use std::fs::File;
use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::Stream;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use crate::clock::Timestamp;

/// Bytes per read.
const READ_SIZE: usize = 256 << 10;

/// The directories. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    data: PathBuf,
    /// When they were opened, by the clock that ages are measured with.
    opened: Timestamp,
    /// What that clock is ahead of the file system's, in nanoseconds.
    ahead: i64,
}

impl Folder {
    /// The path of a content.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.subfolder("blobs").join(name.get(..2).unwrap_or(name)).join(name)
    }

    pub(super) async fn read(
        &self,
        name: &str,
        start: u64,
        length: u64,
    ) -> io::Result<impl Stream<Item = io::Result<Bytes>> + Send + use<>> {
        let mut file = tokio::fs::File::open(self.path(name)).await?;
        file.set_max_buf_size(READ_SIZE);
        if start > 0 {
            file.seek(SeekFrom::Start(start)).await?;
        }
        Ok(ReaderStream::with_capacity(file.take(length), READ_SIZE))
    }

    pub(super) async fn remove(&self, name: &str) -> io::Result<()> {
        match tokio::fs::remove_file(self.path(name)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    pub(super) fn free_space(&self) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(&self.data)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    pub(super) fn subfolder(&self, name: &str) -> PathBuf {
        self.data.join(name)
    }
}

/// Syncs the entries of a directory to disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
