//! Uploads. Small ones are sent with one request when they are complete. Larger ones are sent while they come: with one request if their size
//! is known, as a store copies what comes in parts once more, and in parts otherwise.

use std::io;
use std::mem;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use filepress_wire::SNIFF_BYTES;
use object_store::{ObjectStore, PutPayload};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::parts::Parts;
use super::put::{MAX_PUT, Put};
use super::{Objects, io_error};
use crate::blobs::folder::hex_digest;
use crate::blobs::{StoredBlob, blocking};
use crate::ids;

/// Bytes per part. S3 has at least 5 MiB and at most 10,000 parts: that is enough for 80 GB.
pub(super) const PART: usize = 8 << 20;
/// Bytes of a block. A part is gathered in blocks: the allocator uses these again for the next part, but may keep the memory of buffers as
/// large as a part, of which every thread frees some. Where there are no parts, a block is sent at a time.
const BLOCK: usize = 1 << 20;
/// How long the first [`PART`] may take if one request is to have all bytes. S3 gives up a request whose bytes stay away for some 20 s, so what
/// comes slowly is sent in parts, each of which is there before its request begins.
const FAST: Duration = Duration::from_secs(8);

/// An upload in progress. Dropping it aborts it.
#[derive(Debug)]
pub(in super::super) struct IncomingObject {
    objects: Objects,
    name: String,
    /// The size that it is to have, if that is known.
    expected: Option<u64>,
    started: Instant,
    way: Way,
    /// What is sent next. The last bytes are here until [`Self::commit`]: before that, the store cannot have the object.
    gathered: Blocks,
    hash: Sha256,
    size: u64,
    head: Vec<u8>,
}

/// How the bytes get into the store.
#[derive(Debug)]
enum Way {
    /// They are few enough for one request that can be repeated.
    Undecided,
    Put(Put),
    Parts(Parts),
}

impl Objects {
    /// Starts an upload of this size, or of one that is not known; nothing is sent before there are bytes.
    pub(in super::super) fn receive(&self, expected: Option<u64>) -> io::Result<IncomingObject> {
        Ok(self.receive_as(ids::uuid()?, expected))
    }

    /// Starts an upload of an object with this name.
    pub(super) fn receive_as(&self, name: String, expected: Option<u64>) -> IncomingObject {
        IncomingObject {
            objects: self.clone(),
            name,
            expected,
            started: Instant::now(),
            way: Way::Undecided,
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
            let full = if matches!(self.way, Way::Put(_)) { BLOCK } else { PART };
            if self.gathered.size == full {
                self.send_gathered().await?;
                continue;
            }
            let (now, later) = rest.split_at(rest.len().min(full - self.gathered.size));
            self.gathered.extend(now, matches!(self.way, Way::Undecided));
            rest = later;
        }
        Ok(())
    }

    pub(in super::super) fn size(&self) -> u64 {
        self.size
    }

    /// Completes the object, and checks that the store has all of it.
    pub(in super::super) async fn commit(mut self) -> io::Result<StoredBlob> {
        let path = self.objects.path(&self.name);
        match mem::replace(&mut self.way, Way::Undecided) {
            Way::Undecided => {
                let payload = self.take_hashed().await?;
                self.objects.store.put(&path, payload).await.map_err(io_error)?;
            }
            Way::Put(put) => {
                if let Err(error) = self.finish(put).await {
                    self.forget();
                    return Err(error);
                }
            }
            Way::Parts(mut parts) => {
                parts.send(self.take_hashed().await?).await?;
                parts.complete().await?;
            }
        }
        let stored = self.objects.store.head(&path).await.map_err(io_error)?.size;
        if stored != self.size {
            self.objects.remove(&self.name).await?;
            return Err(io::Error::other(format!("{stored} of {} bytes were stored", self.size)));
        }
        Ok(StoredBlob { name: self.name, size: self.size, sha256: hex_digest(self.hash), head: self.head })
    }

    /// Sends what was gathered. More bytes follow.
    async fn send_gathered(&mut self) -> io::Result<()> {
        let is_fast = self.started.elapsed() <= FAST;
        match (&mut self.way, self.expected) {
            (Way::Put(put), _) => {
                // The store receives a block while it is hashed.
                let block = mem::take(&mut self.gathered).into_payload();
                let (hashed, sent) = tokio::join!(update(&mut self.hash, block.clone()), put.send(block));
                hashed.and(sent)
            }
            (Way::Undecided, Some(length)) if length <= MAX_PUT && is_fast => {
                let first = self.take_hashed().await?;
                self.way = Way::Put(self.objects.put(&self.name, length, first));
                Ok(())
            }
            _ => self.send_part().await,
        }
    }

    async fn send_part(&mut self) -> io::Result<()> {
        let part = self.take_hashed().await?;
        if let Way::Undecided = self.way {
            self.way = Way::Parts(Parts::start(&self.objects, &self.name).await?);
        }
        match &mut self.way {
            Way::Parts(parts) => parts.send(part).await,
            _ => Ok(()),
        }
    }

    /// Sends the last bytes of a PUT.
    async fn finish(&mut self, mut put: Put) -> io::Result<()> {
        put.send(self.take_hashed().await?).await?;
        put.finish().await
    }

    /// Deletes an object that the store may have, although it has not said so.
    fn forget(&self) {
        let (objects, name) = (self.objects.clone(), self.name.clone());
        tokio::spawn(async move {
            if let Err(error) = objects.remove(&name).await {
                tracing::warn!(%error, blob = name, "cannot delete an upload that has failed; the garbage collector will");
            }
        });
    }

    /// Takes what was gathered, after it was hashed.
    async fn take_hashed(&mut self) -> io::Result<PutPayload> {
        let payload = mem::take(&mut self.gathered).into_payload();
        update(&mut self.hash, payload.clone()).await?;
        Ok(payload)
    }
}

/// Hashes bytes after those before them.
async fn update(hash: &mut Sha256, bytes: PutPayload) -> io::Result<()> {
    let mut next = mem::take(hash);
    *hash = blocking(move || {
        bytes.iter().for_each(|block| next.update(block));
        Ok(next)
    })
    .await?;
    Ok(())
}

/// Bytes in blocks of [`BLOCK`], the last of which may be shorter.
#[derive(Debug, Default)]
struct Blocks {
    blocks: Vec<BytesMut>,
    size: usize,
}

impl Blocks {
    /// `is_first`: nothing was taken yet, and there may be no more than a small file.
    fn extend(&mut self, mut bytes: &[u8], is_first: bool) {
        self.size += bytes.len();
        while !bytes.is_empty() {
            if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
                let capacity = if is_first && self.blocks.is_empty() { 0 } else { BLOCK };
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
