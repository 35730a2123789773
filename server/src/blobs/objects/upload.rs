//! Uploads of unknown length: small ones with one request, others in parts, of which a few are under way at a time.

use std::io;
use std::mem;

use bytes::{Bytes, BytesMut};
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
/// Bytes of a block. A part is gathered in blocks: the allocator uses these again for the next part, but may keep the memory of buffers as
/// large as a part, of which every thread frees some.
const BLOCK: usize = 1 << 20;

/// An upload in progress. Dropping it aborts it.
#[derive(Debug)]
pub(in super::super) struct IncomingObject {
    objects: Objects,
    name: String,
    /// `None` before the first part.
    upload: Option<Box<dyn MultipartUpload>>,
    parts: JoinSet<object_store::Result<()>>,
    /// The next part.
    gathered: Blocks,
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
            gathered: Blocks::default(),
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
            let (now, later) = rest.split_at(rest.len().min(PART - self.gathered.size));
            self.gathered.extend(now);
            rest = later;
            if self.gathered.size == PART {
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
            let payload = self.take_hashed().await?;
            self.objects.store.put(&path, payload).await.map_err(io_error)?;
        } else {
            if self.gathered.size > 0 {
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
        let payload = self.take_hashed().await?;
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => {
                let path = self.objects.path(&self.name);
                none.insert(self.objects.store.put_multipart(&path).await.map_err(io_error)?)
            }
        };
        self.parts.spawn(upload.put_part(payload));
        Ok(())
    }

    /// Takes what was gathered, after it was hashed.
    async fn take_hashed(&mut self) -> io::Result<PutPayload> {
        let (payload, mut hash) = (mem::take(&mut self.gathered).into_payload(), mem::take(&mut self.hash));
        let (payload, hash) = blocking(move || {
            payload.iter().for_each(|block| hash.update(block));
            Ok((payload, hash))
        })
        .await?;
        self.hash = hash;
        Ok(payload)
    }
}

/// Bytes in blocks of [`BLOCK`], the last of which may be shorter.
#[derive(Debug, Default)]
struct Blocks {
    blocks: Vec<BytesMut>,
    size: usize,
}

impl Blocks {
    fn extend(&mut self, mut bytes: &[u8]) {
        self.size += bytes.len();
        while !bytes.is_empty() {
            if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
                // The first may be all of a small file.
                let capacity = if self.blocks.is_empty() { 0 } else { BLOCK };
                self.blocks.push(BytesMut::with_capacity(capacity));
            }
            if let Some(block) = self.blocks.last_mut() {
                let (now, later) = bytes.split_at(bytes.len().min(BLOCK - block.len()));
                block.extend_from_slice(now);
                bytes = later;
            }
        }
    }

    fn into_payload(self) -> PutPayload {
        self.blocks.into_iter().map(BytesMut::freeze).collect()
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
