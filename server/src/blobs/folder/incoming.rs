//! Receives an upload. One chunk is written and hashed while the next is collected, so memory is two chunks for any size.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::mem;
use std::os::unix::fs::OpenOptionsExt;

use bytes::Bytes;
use filepress_wire::SNIFF_BYTES;
use sha2::{Digest, Sha256};
use tempfile::TempPath;
use tokio::task::JoinHandle;

use super::Folder;
use crate::blobs::{StoredBlob, blocking, drop_in_background};
use crate::ids;

/// Bytes per write.
pub(super) const CHUNK_SIZE: usize = 1 << 20;

/// An upload in progress. Dropping it deletes the bytes.
#[derive(Debug)]
pub(in super::super) struct IncomingFile {
    folder: Folder,
    name: String,
    /// Deletes the file on drop; `None` once the blob is published.
    path: Option<TempPath>,
    writer: WriterState,
    gathered: Vec<u8>,
    size: u64,
    head: Vec<u8>,
}

#[derive(Debug)]
enum WriterState {
    Idle(HashingFile),
    Busy(JoinHandle<io::Result<HashingFile>>),
    Failed,
}

/// The file and the hash of its content.
#[derive(Debug)]
struct HashingFile {
    file: File,
    hash: Sha256,
    /// An empty buffer for reuse.
    spare: Vec<u8>,
}

impl Folder {
    /// Starts an upload.
    pub(in super::super) async fn receive(&self) -> io::Result<IncomingFile> {
        let name = ids::uuid()?;
        let path = self.subfolder("incoming").join(&name);
        let (file, path) = blocking(move || {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
            Ok((file, TempPath::try_from_path(path)?))
        })
        .await?;
        Ok(IncomingFile {
            folder: self.clone(),
            name,
            path: Some(path),
            writer: WriterState::Idle(HashingFile { file, hash: Sha256::new(), spare: Vec::new() }),
            gathered: Vec::new(),
            size: 0,
            head: Vec::new(),
        })
    }
}

impl IncomingFile {
    /// Appends bytes.
    pub(in super::super) async fn write(&mut self, bytes: &Bytes) -> io::Result<()> {
        self.size += bytes.len() as u64;
        let missing = SNIFF_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..missing]);
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= CHUNK_SIZE {
            let mut sink = self.take_file().await?;
            let chunk = mem::replace(&mut self.gathered, mem::take(&mut sink.spare));
            self.writer = WriterState::Busy(tokio::task::spawn_blocking(move || sink.append(chunk)));
        }
        Ok(())
    }

    /// The number of bytes received so far.
    pub(in super::super) fn size(&self) -> u64 {
        self.size
    }

    /// Syncs the bytes to disk and publishes the blob.
    pub(in super::super) async fn commit(mut self) -> io::Result<StoredBlob> {
        let sink = self.take_file().await?;
        let chunk = mem::take(&mut self.gathered);
        let Some(path) = self.path.take() else { return Err(io::ErrorKind::NotFound.into()) };
        let stored = StoredBlob {
            name: mem::take(&mut self.name),
            size: self.size,
            sha256: String::new(),
            head: mem::take(&mut self.head),
        };
        let folder = self.folder.clone();
        blocking(move || {
            let sink = sink.append(chunk)?;
            sink.file.sync_all()?;
            folder.publish(&stored.name, |target| path.persist(target).map_err(|error| error.error))?;
            Ok(StoredBlob { sha256: hex_digest(sink.hash), ..stored })
        })
        .await
    }

    /// Waits for the pending write and returns the file.
    async fn take_file(&mut self) -> io::Result<HashingFile> {
        match mem::replace(&mut self.writer, WriterState::Failed) {
            WriterState::Idle(sink) => Ok(sink),
            WriterState::Busy(work) => work.await.map_err(io::Error::other)?,
            WriterState::Failed => Err(io::Error::other("an earlier write failed")),
        }
    }
}

impl Drop for IncomingFile {
    fn drop(&mut self) {
        drop_in_background(self.path.take());
    }
}

impl HashingFile {
    fn append(mut self, mut chunk: Vec<u8>) -> io::Result<Self> {
        self.file.write_all(&chunk)?;
        self.hash.update(&chunk);
        chunk.clear();
        self.spare = chunk;
        Ok(self)
    }
}

/// A digest in hexadecimal.
pub(in super::super) fn hex_digest(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
