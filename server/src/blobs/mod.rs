//! The contents of files: in a folder of this machine, or in an object store that several machines share. A content never changes, and
//! is never seen before it is complete.
//!
//! An enum of two stores and not a trait, as for the database: what a content is, how it is named, hashed and found again when nothing
//! refers to it, is the same for both. Working directories of conversions are always on this machine.

mod direct;
mod folder;
mod objects;
mod partial;
mod scratch;

pub use direct::{ResponseHeaders, Sent};
pub use partial::PartialBlob;
pub use scratch::ScratchDir;

use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;

use crate::clock::Timestamp;
use crate::config::ObjectStoreConfig;
use folder::{Folder, IncomingFile};
use objects::{IncomingObject, Objects};

/// The blob store. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Blobs {
    folder: Folder,
    /// Where the contents are, if not in the folder.
    objects: Option<Objects>,
}

/// A complete, durable content.
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

/// A content that is expected to be in the store.
#[derive(Debug, Clone, Copy)]
pub struct BlobRef<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: &'a str,
}

/// An upload in progress. Dropping it deletes the bytes.
#[derive(Debug)]
pub struct IncomingBlob {
    /// The number of bytes that are to come.
    size: u64,
    incoming: Incoming,
}

#[derive(Debug)]
enum Incoming {
    File(Box<IncomingFile>),
    Object(Box<IncomingObject>),
}

impl Blobs {
    /// Opens the directories in `data`, which no other process may use, and the object store; without one, contents are in `data` too. `now` is the time by the clock that ages are measured with.
    ///
    /// # Errors
    ///
    /// If a directory cannot be created, or the settings of the object store are not understood.
    pub fn open(data: &Path, store: Option<&ObjectStoreConfig>, now: Timestamp) -> io::Result<Self> {
        let objects = store.map(Objects::open).transpose()?;
        Ok(Self { folder: Folder::open(data, now)?, objects })
    }

    /// Whether the contents are in an object store, and so take no room of this machine.
    pub fn is_remote(&self) -> bool {
        self.objects.is_some()
    }

    /// Starts an upload of exactly `size` bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be created; [`io::ErrorKind::StorageFull`] if the disk is full.
    pub async fn receive(&self, size: u64) -> io::Result<IncomingBlob> {
        let incoming = match &self.objects {
            None => Incoming::File(Box::new(self.folder.receive().await?)),
            Some(objects) => Incoming::Object(Box::new(objects.receive(Some(size))?)),
        };
        Ok(IncomingBlob { size, incoming })
    }

    /// Reads `length` bytes from `start`.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] if there is no such content; [`io::ErrorKind::NotConnected`] if the object store cannot be reached.
    pub async fn read(
        &self,
        name: &str,
        start: u64,
        length: u64,
    ) -> io::Result<BoxStream<'static, io::Result<Bytes>>> {
        match &self.objects {
            None => Ok(self.folder.read(name, start, length).await?.boxed()),
            Some(objects) => objects.read(name, start, length).await,
        }
    }

    /// Makes a content readable as a file, as input number `index` of a conversion. What was fetched is checked, and deleted with the
    /// scratch directory; nobody may write to it.
    ///
    /// # Errors
    ///
    /// As [`Self::read`]; [`io::ErrorKind::InvalidData`] if the content is not what it should be.
    pub async fn fetch(&self, blob: BlobRef<'_>, scratch: &ScratchDir, index: usize) -> io::Result<PathBuf> {
        match &self.objects {
            None => Ok(self.folder.path(blob.name)),
            Some(objects) => {
                let path = scratch.inputs().join(index.to_string());
                objects.fetch(blob, &path).await?;
                Ok(path)
            }
        }
    }

    /// Stores a finished file; it is gone then, or useless.
    ///
    /// # Errors
    ///
    /// If it is not a regular file (a malicious input may make a tool create a symbolic link), or cannot be read or stored;
    /// [`io::ErrorKind::StorageFull`] if the disk is full.
    pub async fn store_output(&self, file: &Path) -> io::Result<StoredBlob> {
        match &self.objects {
            None => self.folder.store_output(file).await,
            Some(objects) => objects.store_output(file).await,
        }
    }

    /// Duplicates a content under a new name.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] if there is no such content; any other if it cannot be duplicated.
    pub async fn duplicate(&self, blob: BlobRef<'_>) -> io::Result<String> {
        match &self.objects {
            None => self.folder.duplicate(blob.name).await,
            Some(objects) => objects.duplicate(blob).await,
        }
    }

    /// Copies a content of the folder into another store under the same name; false if it is there.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] if there is no such content; [`io::ErrorKind::InvalidData`] if it is not what it should be;
    /// [`io::ErrorKind::Unsupported`] unless the copy is from a folder to an object store.
    pub async fn copy_to(&self, blob: BlobRef<'_>, target: &Self) -> io::Result<bool> {
        match (&self.objects, &target.objects) {
            (None, Some(objects)) => objects.adopt(blob, &self.folder.path(blob.name)).await,
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Deletes a content. A missing one is not an error.
    ///
    /// # Errors
    ///
    /// If it exists and cannot be deleted.
    pub async fn remove(&self, name: &str) -> io::Result<()> {
        match &self.objects {
            None => self.folder.remove(name).await,
            Some(objects) => objects.remove(name).await,
        }
    }

    /// Lists the contents that were stored before `before`. Deletes what uploads and conversions of that age have left on this machine,
    /// and of any age if it is from an earlier process.
    ///
    /// # Errors
    ///
    /// If a directory or the object store cannot be listed, or an entry cannot be deleted.
    pub async fn collect_expired(&self, before: Timestamp) -> io::Result<Vec<String>> {
        let here = self.folder.collect_expired(before).await?;
        match &self.objects {
            None => Ok(here),
            Some(objects) => objects.older(before).await,
        }
    }

    /// Creates the working directory of an attempt; deletes an old one of the same name first.
    ///
    /// # Errors
    ///
    /// If it cannot be created; [`io::ErrorKind::StorageFull`] if the disk is full.
    pub async fn scratch(&self, task: &str, attempt: u32) -> io::Result<ScratchDir> {
        ScratchDir::create(self.folder.subfolder("scratch").join(format!("{task}-{attempt}"))).await
    }

    /// The free disk space of this machine in bytes that this process may use.
    ///
    /// # Errors
    ///
    /// If the file system does not report it.
    pub fn free_space(&self) -> io::Result<u64> {
        self.folder.free_space()
    }
}

impl IncomingBlob {
    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// If these or earlier bytes cannot be written; [`io::ErrorKind::StorageFull`] if the disk is full; [`io::ErrorKind::NotConnected`] if
    /// the object store does not take them; [`io::ErrorKind::InvalidInput`] if they are too many.
    pub async fn write(&mut self, bytes: &Bytes) -> io::Result<()> {
        if self.size() + bytes.len() as u64 > self.size {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        match &mut self.incoming {
            Incoming::File(file) => file.write(bytes).await,
            Incoming::Object(object) => object.write(bytes).await,
        }
    }

    /// The number of bytes received so far.
    pub fn size(&self) -> u64 {
        match &self.incoming {
            Incoming::File(file) => file.size(),
            Incoming::Object(object) => object.size(),
        }
    }

    /// Makes the bytes durable and publishes them.
    ///
    /// # Errors
    ///
    /// As [`Self::write`], and [`io::ErrorKind::InvalidInput`] if bytes are missing; the bytes are deleted then.
    pub async fn commit(self) -> io::Result<StoredBlob> {
        if self.size() != self.size {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        match self.incoming {
            Incoming::File(file) => file.commit().await,
            Incoming::Object(object) => object.commit().await,
        }
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
