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

use super::{Blobs, Stored, blocking, drop_aside};
use crate::ids;

/// Bytes that are written at once.
pub(super) const PORTION: usize = 1 << 20;

/// Bytes that are being received; dropped, they are gone.
#[derive(Debug)]
pub struct Incoming {
    blobs: Blobs,
    name: String,
    /// Deletes the file as it is dropped; none once it was named.
    path: Option<TempPath>,
    writer: Writer,
    gathered: Vec<u8>,
    size: u64,
    head: Vec<u8>,
}

#[derive(Debug)]
enum Writer {
    Idle(Sink),
    Busy(JoinHandle<io::Result<Sink>>),
    Failed,
}

/// The file, and the hash of what is in it.
#[derive(Debug)]
struct Sink {
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
    pub async fn receive(&self) -> io::Result<Incoming> {
        let name = ids::uuid()?;
        let path = self.folder("incoming").join(&name);
        let (file, path) = blocking(move || {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
            Ok((file, TempPath::try_from_path(path)?))
        })
        .await?;
        Ok(Incoming {
            blobs: self.clone(),
            name,
            path: Some(path),
            writer: Writer::Idle(Sink { file, hash: Sha256::new(), spare: Vec::new() }),
            gathered: Vec::new(),
            size: 0,
            head: Vec::new(),
        })
    }
}

impl Incoming {
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
        if self.gathered.len() >= PORTION {
            let mut sink = self.sink().await?;
            let portion = mem::replace(&mut self.gathered, mem::take(&mut sink.spare));
            self.writer = Writer::Busy(tokio::task::spawn_blocking(move || sink.take(portion)));
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
    pub async fn keep(mut self) -> io::Result<Stored> {
        let sink = self.sink().await?;
        let portion = mem::take(&mut self.gathered);
        let Some(path) = self.path.take() else { return Err(io::ErrorKind::NotFound.into()) };
        let stored = Stored {
            name: mem::take(&mut self.name),
            size: self.size,
            sha256: String::new(),
            head: mem::take(&mut self.head),
        };
        let blobs = self.blobs.clone();
        blocking(move || {
            let sink = sink.take(portion)?;
            sink.file.sync_all()?;
            blobs.name(&stored.name, |target| path.persist(target).map_err(|error| error.error))?;
            Ok(Stored { sha256: hexadecimal(sink.hash), ..stored })
        })
        .await
    }

    /// The file, once everything handed to it so far is written.
    async fn sink(&mut self) -> io::Result<Sink> {
        match mem::replace(&mut self.writer, Writer::Failed) {
            Writer::Idle(sink) => Ok(sink),
            Writer::Busy(work) => work.await.map_err(io::Error::other)?,
            Writer::Failed => Err(io::Error::other("an earlier write failed")),
        }
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        drop_aside(self.path.take());
    }
}

impl Sink {
    fn take(mut self, mut portion: Vec<u8>) -> io::Result<Self> {
        self.file.write_all(&portion)?;
        self.hash.update(&portion);
        portion.clear();
        self.spare = portion;
        Ok(self)
    }
}

/// A finished hash as text.
pub(super) fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
