//! The end of a resumable upload: its parts become an object, whose size the store confirms.

use std::io;
use std::mem;

use bytes::Bytes;
use filepress_wire::SNIFF_BYTES;
use futures_util::TryStreamExt;
use object_store::multipart::{MultipartStore, PartId};
use object_store::{ObjectStore, PutPayload};

use super::PartialObject;
use crate::blobs::objects::io_error;
use crate::blobs::{StoredBlob, blocking};
use crate::ids;

impl PartialObject {
    pub(in super::super::super) async fn publish(&mut self) -> io::Result<StoredBlob> {
        self.finish_part().await?;
        let (hash, size) = (self.hash, self.size);
        let last = mem::take(&mut self.gathered);
        let (last, sha256) = blocking(move || {
            let sha256 = hash.finish(&last, size);
            Ok((Bytes::from(last), sha256))
        })
        .await?;
        let Some(id) = self.state.multipart.clone() else {
            // A name of its own: another server that publishes the same upload does not write over it.
            self.state.name = ids::uuid()?;
            let path = self.objects.path(&self.state.name);
            let (store, head) = (&self.objects.store, last.slice(..last.len().min(SNIFF_BYTES)));
            store.put(&path, PutPayload::from_bytes(last)).await.map_err(io_error)?;
            return self.stored(sha256, head.to_vec()).await;
        };
        let sha256 = match self.complete(&id, last).await {
            // It was completed before, and the server was killed before it could record that.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (sha256, head) = self.objects.digest(&self.state.name, size).await?;
                return self.stored(sha256, head).await;
            }
            done => done.map(|()| sha256)?,
        };
        let head = self.objects.read(&self.state.name, 0, (SNIFF_BYTES as u64).min(size)).await?;
        let head = head.try_collect::<Vec<Bytes>>().await?.concat();
        self.stored(sha256, head).await
    }

    /// Sends the last part, and completes the multipart upload.
    async fn complete(&mut self, id: &String, last: Bytes) -> io::Result<()> {
        let (store, path) = (&self.objects.store, self.objects.path(&self.state.name));
        let part_id = |content_id: &String| PartId { content_id: content_id.clone() };
        let mut parts: Vec<PartId> = self.state.parts.iter().map(part_id).collect();
        let payload = PutPayload::from_bytes(last);
        parts.push(store.put_part(&path, id, parts.len(), payload).await.map_err(io_error)?);
        store.complete_multipart(&path, id, parts).await.map_err(io_error)?;
        self.is_fresh = false;
        Ok(())
    }

    /// Checks that the store has all of the content.
    async fn stored(&self, sha256: String, head: Vec<u8>) -> io::Result<StoredBlob> {
        let (name, size) = (self.state.name.clone(), self.size);
        let stored = self.objects.store.head(&self.objects.path(&name)).await.map_err(io_error)?.size;
        if stored != size {
            self.objects.remove(&name).await?;
            return Err(io::Error::other(format!("{stored} of {size} bytes were stored")));
        }
        Ok(StoredBlob { name, size, sha256, head })
    }
}
