//! Uploads of unknown length: small ones with one request, others in parts, of which a few are under way at a time.

use std::io;
use std::mem;

use bytes::Bytes;
use filepress_wire::SNIFF_BYTES;
use object_store::{MultipartUpload, ObjectStore, PutPayload};
use sha2::{Digest, Sha256};
use tokio::task::JoinSet;

use super::{Objects, io_error};
use crate::blobs::folder::hex_digest;
use crate::blobs::{StoredBlob, blocking};
use crate::ids;

/// Bytes per part. S3 has at least 5 MiB and at most 10,000 parts: that is enough for 80 GB.
pub(super) const PART: usize = 8 << 20;
/// Parts under way at once.
const AT_ONCE: usize = 2;

/// An upload in progress. Dropping it aborts it.
#[derive(Debug)]
pub(in super::super) struct IncomingObject {
    objects: Objects,
    name: String,
    /// `None` before the first part.
    upload: Option<Box<dyn MultipartUpload>>,
    parts: JoinSet<object_store::Result<()>>,
    gathered: Vec<u8>,
    hash: Sha256,
    size: u64,
    head: Vec<u8>,
}

impl Objects {
    /// Starts an upload; nothing is sent before there are bytes.
    pub(in super::super) fn receive(&self) -> io::Result<IncomingObject> {
        Ok(self.receive_as(ids::uuid()?))
    }

    /// Starts an upload of an object with this name.
    pub(super) fn receive_as(&self, name: String) -> IncomingObject {
        IncomingObject {
            objects: self.clone(),
            name,
            upload: None,
            parts: JoinSet::new(),
            gathered: Vec::new(),
            hash: Sha256::new(),
            size: 0,
            head: Vec::new(),
        }
    }
}

impl IncomingObject {
    /// Appends bytes.
    pub(in super::super) async fn write(&mut self, bytes: &Bytes) -> io::Result<()> {
        self.size += bytes.len() as u64;
        let missing = SNIFF_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..missing]);
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(PART - self.gathered.len()));
            self.gathered.extend_from_slice(now);
            rest = later;
            if self.gathered.len() == PART {
                self.send_part().await?;
            }
        }
        Ok(())
    }

    pub(in super::super) fn size(&self) -> u64 {
        self.size
    }

    /// Completes the object, and checks that the store has all of it.
    pub(in super::super) async fn commit(mut self) -> io::Result<StoredBlob> {
        let path = self.objects.path(&self.name);
        if self.upload.is_none() {
            let bytes = self.take_hashed().await?;
            self.objects.store.put(&path, PutPayload::from_bytes(bytes)).await.map_err(io_error)?;
        } else {
            if !self.gathered.is_empty() {
                self.send_part().await?;
            }
            while let Some(part) = self.parts.join_next().await {
                part.map_err(io::Error::other)?.map_err(io_error)?;
            }
            if let Some(upload) = &mut self.upload {
                upload.complete().await.map_err(io_error)?;
            }
            // Complete now: there is nothing left to abort.
            self.upload = None;
        }
        let stored = self.objects.store.head(&path).await.map_err(io_error)?.size;
        if stored != self.size {
            self.objects.remove(&self.name).await?;
            return Err(io::Error::other(format!("{stored} of {} bytes were stored", self.size)));
        }
        Ok(StoredBlob {
            name: mem::take(&mut self.name),
            size: self.size,
            sha256: hex_digest(mem::take(&mut self.hash)),
            head: mem::take(&mut self.head),
        })
    }

    async fn send_part(&mut self) -> io::Result<()> {
        while self.parts.len() >= AT_ONCE {
            if let Some(part) = self.parts.join_next().await {
                part.map_err(io::Error::other)?.map_err(io_error)?;
            }
        }
        let bytes = self.take_hashed().await?;
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => {
                let path = self.objects.path(&self.name);
                none.insert(self.objects.store.put_multipart(&path).await.map_err(io_error)?)
            }
        };
        self.parts.spawn(upload.put_part(PutPayload::from_bytes(bytes)));
        Ok(())
    }

    /// Takes what was gathered, after it was hashed.
    async fn take_hashed(&mut self) -> io::Result<Bytes> {
        let (bytes, mut hash) = (mem::take(&mut self.gathered), mem::take(&mut self.hash));
        let (bytes, hash) = blocking(move || {
            hash.update(&bytes);
            Ok((bytes, hash))
        })
        .await?;
        self.hash = hash;
        Ok(bytes.into())
    }
}

impl Drop for IncomingObject {
    fn drop(&mut self) {
        let (upload, runtime) = (self.upload.take(), tokio::runtime::Handle::try_current());
        let mut parts = mem::take(&mut self.parts);
        if let (Some(mut upload), Ok(runtime)) = (upload, runtime) {
            runtime.spawn(async move {
                // A part that the store takes after the abort would stay.
                while parts.join_next().await.is_some() {}
                if let Err(error) = upload.abort().await {
                    tracing::warn!(%error, "cannot abort an upload; the bucket's rule for incomplete uploads deletes it");
                }
            });
        }
    }
}
