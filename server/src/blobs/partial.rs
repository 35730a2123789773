//! Resumable uploads that are not complete. Their bytes survive a crash; how many of them is up to the database, which has an
//! [`UploadState`] for each.

use std::io;

use bytes::Bytes;

use super::folder::PartialFile;
use super::objects::PartialObject;
use super::{Blobs, StoredBlob};
use crate::upload_state::{ObjectUpload, UploadState};

/// The bytes of an upload so far, open for more.
#[derive(Debug)]
pub struct PartialBlob(Partial);

#[derive(Debug)]
enum Partial {
    File(Box<PartialFile>),
    Object(Box<PartialObject>),
}

impl Blobs {
    /// Opens the bytes of an upload for more. It has fewer than `state` says if some are lost.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be read; [`io::ErrorKind::NotConnected`] if the object store cannot be reached.
    pub async fn open_partial(&self, upload: &str, state: UploadState) -> io::Result<PartialBlob> {
        Ok(PartialBlob(match &self.objects {
            None => Partial::File(Box::new(self.folder.open_partial(upload, state.received).await?)),
            Some(objects) => Partial::Object(Box::new(objects.open_partial(state).await?)),
        }))
    }

    /// How many bytes of an upload [`Self::open_partial`] would keep. An object store is not asked.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub async fn kept(&self, upload: &str, received: u64) -> io::Result<u64> {
        match &self.objects {
            None => self.folder.kept(upload, received).await,
            Some(_) => Ok(received),
        }
    }

    /// Deletes the bytes of an upload in the folder. That there are none is not an error.
    ///
    /// # Errors
    ///
    /// If there are some and they cannot be deleted.
    pub async fn remove_partial(&self, upload: &str) -> io::Result<()> {
        self.folder.remove_partial(upload).await
    }

    /// Deletes the bytes of an upload in the object store. `is_complete`: they have become a content, which stays.
    ///
    /// # Errors
    ///
    /// If there are some and they cannot be deleted.
    pub async fn discard(&self, upload: &ObjectUpload, is_complete: bool) -> io::Result<()> {
        match &self.objects {
            None => Ok(()),
            Some(objects) => objects.discard(upload, is_complete).await,
        }
    }

    /// The uploads of which there are bytes in the folder.
    ///
    /// # Errors
    ///
    /// If the directory cannot be listed.
    pub async fn partials(&self) -> io::Result<Vec<String>> {
        self.folder.partials().await
    }
}

impl PartialBlob {
    /// The number of bytes so far.
    pub fn size(&self) -> u64 {
        match &self.0 {
            Partial::File(file) => file.size(),
            Partial::Object(object) => object.size(),
        }
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// If these or earlier bytes cannot be written; [`io::ErrorKind::StorageFull`] if the disk is full; [`io::ErrorKind::NotFound`] if the
    /// object store has given the upload up.
    pub async fn write(&mut self, bytes: &Bytes) -> io::Result<()> {
        match &mut self.0 {
            Partial::File(file) => file.write(bytes).await,
            Partial::Object(object) => object.write(bytes).await,
        }
    }

    /// What is safe now and is worth recording: some MiB more than the last time.
    ///
    /// # Errors
    ///
    /// As [`Self::write`].
    pub async fn checkpoint(&mut self) -> io::Result<Option<UploadState>> {
        match &mut self.0 {
            Partial::File(file) => file.checkpoint().await,
            Partial::Object(object) => object.checkpoint().await,
        }
    }

    /// As [`Self::checkpoint`], but also what is under way. Before [`Self::publish`], this leaves little to be sent again.
    ///
    /// # Errors
    ///
    /// As [`Self::write`].
    pub async fn settle(&mut self) -> io::Result<Option<UploadState>> {
        match &mut self.0 {
            Partial::File(_) => Ok(None),
            Partial::Object(object) => object.settle().await,
        }
    }

    /// Makes all bytes safe, and says what is to be recorded.
    ///
    /// # Errors
    ///
    /// As [`Self::write`].
    pub async fn sync(&mut self) -> io::Result<UploadState> {
        match &mut self.0 {
            Partial::File(file) => file.sync().await,
            Partial::Object(object) => object.sync().await,
        }
    }

    /// Deletes what the state that was recorded last has made superfluous.
    pub async fn recorded(&mut self) {
        if let Partial::Object(object) = &mut self.0 {
            object.recorded().await;
        }
    }

    /// Publishes the bytes as a content. They stay what they are until the content is recorded, in case the service is killed before.
    ///
    /// # Errors
    ///
    /// As [`Self::write`].
    pub async fn publish(&mut self) -> io::Result<StoredBlob> {
        match &mut self.0 {
            Partial::File(file) => file.publish().await,
            Partial::Object(object) => object.publish().await,
        }
    }
}
