//! Receives bytes: while one portion is written and hashed, the next one gathers. Memory is two portions, whatever the size.

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

use super::{Blobs, StoredBlob, blocking, drop_in_background};
use crate::ids;

/// Bytes that are written at once.
pub(super) const CHUNK_SIZE: usize = 1 << 20;

/// Bytes that are being received; dropped, they are gone.
#[derive(Debug)]
pub struct IncomingBlob {
    blobs: Blobs,
    name: String,
    /// Deletes the file as it is dropped; none once it was named.
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

/// The file, and the hash of what is in it.
#[derive(Debug)]
struct HashingFile {
    file: File,
    hash: Sha256,
    /// An empty portion, to be filled again.
    spare: Vec<u8>,
}

impl Blobs {
    /// Begins to receive.
    ///
    /// # Errors
    ///
    /// Where no file can be made; [`io::ErrorKind::StorageFull`] where there is no room for one.
    pub async fn receive(&self) -> io::Result<IncomingBlob> {
        let name = ids::uuid()?;
        let path = self.folder("incoming").join(&name);
        let (file, path) = blocking(move || {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
            Ok((file, TempPath::try_from_path(path)?))
        })
        .await?;
        Ok(IncomingBlob {
            blobs: self.clone(),
            name,
            path: Some(path),
            writer: WriterState::Idle(HashingFile { file, hash: Sha256::new(), spare: Vec::new() }),
            gathered: Vec::new(),
            size: 0,
            head: Vec::new(),
        })
    }
}

impl IncomingBlob {
    /// Appends.
    ///
    /// # Errors
    ///
    /// Where bytes could not be written, these or earlier ones: [`io::ErrorKind::StorageFull`] where the disk is full.
    pub async fn write(&mut self, bytes: &Bytes) -> io::Result<()> {
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

    /// How many bytes there are so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Makes them durable and names them.
    ///
    /// # Errors
    ///
    /// As [`Self::write`]; nothing is left then.
    pub async fn commit(mut self) -> io::Result<StoredBlob> {
        let sink = self.take_file().await?;
        let chunk = mem::take(&mut self.gathered);
        let Some(path) = self.path.take() else { return Err(io::ErrorKind::NotFound.into()) };
        let stored = StoredBlob {
            name: mem::take(&mut self.name),
            size: self.size,
            sha256: String::new(),
            head: mem::take(&mut self.head),
        };
        let blobs = self.blobs.clone();
        blocking(move || {
            let sink = sink.append(chunk)?;
            sink.file.sync_all()?;
            blobs.publish(&stored.name, |target| path.persist(target).map_err(|error| error.error))?;
            Ok(StoredBlob { sha256: hex_digest(sink.hash), ..stored })
        })
        .await
    }

    /// The file, once everything handed to it so far is written.
    async fn take_file(&mut self) -> io::Result<HashingFile> {
        match mem::replace(&mut self.writer, WriterState::Failed) {
            WriterState::Idle(sink) => Ok(sink),
            WriterState::Busy(work) => work.await.map_err(io::Error::other)?,
            WriterState::Failed => Err(io::Error::other("an earlier write failed")),
        }
    }
}

impl Drop for IncomingBlob {
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

/// A finished hash as text.
pub(super) fn hex_digest(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
