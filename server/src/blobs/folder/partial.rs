//! The bytes of resumable uploads that are not complete, `DATA/resumable/<file>`. They survive a crash; how many of them is up to the
//! database, so what was written after that is cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::mem;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use bytes::Bytes;

use super::incoming::CHUNK_SIZE;
use super::store_output::hash;
use super::{Folder, sync_folder};
use crate::blobs::{StoredBlob, blocking};
use crate::ids;

/// The directory.
const NAME: &str = "resumable";

/// The bytes of an upload so far, open for more.
#[derive(Debug)]
pub struct PartialBlob {
    folder: Folder,
    path: PathBuf,
    /// `None` while it is being written to, and after a failure.
    file: Option<File>,
    gathered: Vec<u8>,
    size: u64,
}

impl Folder {
    /// Opens the bytes of an upload, of which `received` are to be kept; none are, if they are not all there.
    pub(in super::super) async fn open_partial(
        &self,
        upload: &str,
        received: u64,
    ) -> io::Result<PartialBlob> {
        let (folder, path) = (self.clone(), self.partial(upload));
        blocking(move || {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(&path)?;
            let kept = if file.metadata()?.len() < received { 0 } else { received };
            file.set_len(kept)?;
            file.seek(SeekFrom::End(0))?;
            sync_folder(&folder.subfolder(NAME))?;
            Ok(PartialBlob { folder, path, file: Some(file), gathered: Vec::new(), size: kept })
        })
        .await
    }

    /// How many bytes of an upload can be kept: `received`, or none.
    pub(in super::super) async fn kept(&self, upload: &str, received: u64) -> io::Result<u64> {
        match tokio::fs::metadata(self.partial(upload)).await {
            Ok(metadata) if metadata.len() >= received => Ok(received),
            Ok(_) => Ok(0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            Err(error) => Err(error),
        }
    }

    /// Deletes the bytes of an upload. That there are none is not an error.
    pub(in super::super) async fn remove_partial(&self, upload: &str) -> io::Result<()> {
        match tokio::fs::remove_file(self.partial(upload)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The uploads of which there are bytes.
    pub(in super::super) async fn partials(&self) -> io::Result<Vec<String>> {
        let path = self.subfolder(NAME);
        blocking(move || {
            let entries = std::fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
            Ok(entries.iter().filter_map(|entry| entry.file_name().into_string().ok()).collect())
        })
        .await
    }

    fn partial(&self, upload: &str) -> PathBuf {
        self.subfolder(NAME).join(upload)
    }
}

impl PartialBlob {
    /// The number of bytes so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// If these or earlier bytes cannot be written; [`io::ErrorKind::StorageFull`] if the disk is full.
    pub async fn write(&mut self, bytes: &Bytes) -> io::Result<()> {
        self.size += bytes.len() as u64;
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() < CHUNK_SIZE {
            return Ok(());
        }
        self.append(false).await
    }

    /// Writes everything to disk, so that it survives a power failure.
    ///
    /// # Errors
    ///
    /// As [`Self::write`].
    pub async fn sync(&mut self) -> io::Result<()> {
        self.append(true).await
    }

    async fn append(&mut self, sync: bool) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Err(io::Error::other("an earlier write failed"));
        };
        let mut chunk = mem::take(&mut self.gathered);
        let (file, chunk) = blocking(move || {
            file.write_all(&chunk)?;
            if sync {
                file.sync_data()?;
            }
            chunk.clear();
            Ok((file, chunk))
        })
        .await?;
        (self.file, self.gathered) = (Some(file), chunk);
        Ok(())
    }

    /// Publishes the bytes as a content. They also stay what they are until [`Blobs::remove_partial`], in case the service is killed before
    /// the content is recorded.
    ///
    /// # Errors
    ///
    /// As [`Self::write`].
    ///
    /// [`Blobs::remove_partial`]: crate::blobs::Blobs::remove_partial
    pub async fn publish(mut self) -> io::Result<StoredBlob> {
        self.sync().await?;
        let Self { folder, path, file, .. } = self;
        blocking(move || {
            let Some(mut file) = file else { return Err(io::ErrorKind::NotFound.into()) };
            file.seek(SeekFrom::Start(0))?;
            let stored = StoredBlob { name: ids::uuid()?, ..hash(&mut file)? };
            folder.publish(&stored.name, |target| folder.link(&path, target))?;
            Ok(stored)
        })
        .await
    }
}
