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
use crate::upload_state::UploadState;

/// The directory.
const NAME: &str = "resumable";
/// How many bytes may be lost if the service is killed.
const CHECKPOINT: u64 = 8 << 20;

/// The bytes of an upload so far, open for more.
#[derive(Debug)]
pub(in super::super) struct PartialFile {
    folder: Folder,
    path: PathBuf,
    /// `None` while it is being written to, and after a failure.
    file: Option<File>,
    gathered: Vec<u8>,
    size: u64,
    /// The bytes that are on disk for sure.
    safe: u64,
}

impl Folder {
    /// Opens the bytes of an upload, of which `received` are to be kept; none are, if they are not all there.
    pub(in super::super) async fn open_partial(
        &self,
        upload: &str,
        received: u64,
    ) -> io::Result<PartialFile> {
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
            Ok(PartialFile { folder, path, file: Some(file), gathered: Vec::new(), size: kept, safe: kept })
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

impl PartialFile {
    pub(in super::super) fn size(&self) -> u64 {
        self.size
    }

    pub(in super::super) async fn write(&mut self, bytes: &Bytes) -> io::Result<()> {
        self.size += bytes.len() as u64;
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() < CHUNK_SIZE {
            return Ok(());
        }
        self.append(false).await
    }

    /// Makes all bytes safe if they are worth it.
    pub(in super::super) async fn checkpoint(&mut self) -> io::Result<Option<UploadState>> {
        if self.size - self.safe < CHECKPOINT { Ok(None) } else { self.sync().await.map(Some) }
    }

    /// Writes everything to disk, so that it survives a power failure.
    pub(in super::super) async fn sync(&mut self) -> io::Result<UploadState> {
        self.append(true).await?;
        self.safe = self.size;
        Ok(UploadState { received: self.size, objects: None })
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

    pub(in super::super) async fn publish(&mut self) -> io::Result<StoredBlob> {
        self.sync().await?;
        let (folder, path, file) = (self.folder.clone(), self.path.clone(), self.file.take());
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
