//! Resumable uploads: what has come is in parts of a multipart upload, and what is less than a part in an object of its own when a request
//! ends. A part has the same place in the file whoever sends it, so that a request that was given up can do no harm: if it replaces a part
//! by other bytes, the store refuses to complete the upload, as the hash of the part is not the recorded one.

mod publish;

use std::io;
use std::mem;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::multipart::{MultipartStore, PartId};
use object_store::{Error, ObjectStore, PutPayload};
use tokio_util::task::AbortOnDropHandle;

use super::part_hash::PartHash;
use super::upload::PART;
use super::{Objects, io_error};
use crate::blobs::blocking;
use crate::ids;
use crate::upload_state::{ObjectUpload, UploadState};

/// The bytes of an upload so far, open for more.
#[derive(Debug)]
pub(in super::super) struct PartialObject {
    objects: Objects,
    /// What the store has of it, and is to be recorded.
    state: ObjectUpload,
    hash: PartHash,
    /// A part that is under way, with the state of the hash after it.
    sending: Option<(AbortOnDropHandle<object_store::Result<PartId>>, PartHash)>,
    /// What comes after the parts, one that is under way included.
    gathered: Vec<u8>,
    size: u64,
    /// The parts that were recorded.
    recorded: usize,
    /// Objects that are superfluous once the state is recorded.
    superseded: Vec<String>,
    /// The multipart upload was made here and was not recorded yet.
    is_fresh: bool,
    /// Bytes have come since the last time that all were safe.
    is_ahead: bool,
    /// Why a part was not stored: the bytes after it are useless.
    failure: Option<io::ErrorKind>,
}

impl Objects {
    pub(in super::super) async fn open_partial(&self, state: UploadState) -> io::Result<PartialObject> {
        let UploadState { received, objects } = state;
        let mut state = match objects {
            Some(state) => state,
            None => ObjectUpload {
                name: ids::uuid()?,
                hash: PartHash::new().to_text(),
                ..ObjectUpload::default()
            },
        };
        let unreadable = || io::Error::other("the state of an upload is not what was recorded");
        let hash = PartHash::parse(&state.hash).ok_or_else(unreadable)?;
        let in_parts = (state.parts.len() * PART) as u64;
        let length = received.checked_sub(in_parts).ok_or_else(unreadable)?;
        let gathered = match &state.rest {
            Some(rest) if length > 0 => self.rest(rest, length).await?,
            _ => Vec::new(),
        };
        if gathered.is_empty() {
            state.rest = None;
        }
        let (size, recorded) = (in_parts + gathered.len() as u64, state.parts.len());
        Ok(PartialObject {
            objects: self.clone(),
            state,
            hash,
            sending: None,
            gathered,
            size,
            recorded,
            superseded: Vec::new(),
            is_fresh: false,
            is_ahead: false,
            failure: None,
        })
    }

    /// The first `length` bytes of an object; none if it is not there or has fewer.
    async fn rest(&self, name: &str, length: u64) -> io::Result<Vec<u8>> {
        match self.read(name, 0, length).await {
            Ok(portions) => match portions.try_collect::<Vec<Bytes>>().await {
                Ok(portions) => Ok(portions.concat()),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Vec::new()),
                Err(error) => Err(error),
            },
            Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::UnexpectedEof].contains(&error.kind()) => {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }

    pub(in super::super) async fn discard(&self, upload: &ObjectUpload, is_complete: bool) -> io::Result<()> {
        if let Some(rest) = &upload.rest {
            self.remove(rest).await?;
        }
        if let Some(id) = upload.multipart.as_ref().filter(|_| !is_complete) {
            match self.store.abort_multipart(&self.path(&upload.name), id).await {
                Ok(()) | Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(io_error(error)),
            }
        }
        Ok(())
    }
}

impl PartialObject {
    pub(in super::super) fn size(&self) -> u64 {
        self.size
    }

    /// A part is sent when more bytes come than it holds, so that the last one is never sent before the upload is complete.
    pub(in super::super) async fn write(&mut self, bytes: &Bytes) -> io::Result<()> {
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            if self.gathered.len() == PART {
                self.send_part().await?;
            }
            let (now, later) = rest.split_at(rest.len().min(PART - self.gathered.len()));
            self.gathered.extend_from_slice(now);
            self.size += now.len() as u64;
            self.is_ahead = true;
            rest = later;
        }
        Ok(())
    }

    /// The parts that have arrived, if there are some that were not recorded.
    pub(in super::super) async fn checkpoint(&mut self) -> io::Result<Option<UploadState>> {
        let has_arrived = self.sending.as_ref().is_some_and(|(sending, _)| sending.is_finished());
        if has_arrived { self.settle().await } else { Ok(self.unrecorded()) }
    }

    /// The same, with the part that is under way.
    pub(in super::super) async fn settle(&mut self) -> io::Result<Option<UploadState>> {
        self.finish_part().await?;
        Ok(self.unrecorded())
    }

    fn unrecorded(&mut self) -> Option<UploadState> {
        if self.state.parts.len() == self.recorded {
            return None;
        }
        // What was after fewer parts.
        self.superseded.extend(self.state.rest.take());
        Some(self.current((self.state.parts.len() * PART) as u64))
    }

    pub(in super::super) async fn sync(&mut self) -> io::Result<UploadState> {
        self.finish_part().await?;
        if !self.is_ahead {
            return Ok(self.current(self.size));
        }
        self.superseded.extend(self.state.rest.take());
        if !self.gathered.is_empty() {
            let name = ids::uuid()?;
            let payload = PutPayload::from(self.gathered.clone());
            self.objects.store.put(&self.objects.path(&name), payload).await.map_err(io_error)?;
            self.state.rest = Some(name);
        }
        self.is_ahead = false;
        Ok(self.current(self.size))
    }

    fn current(&self, received: u64) -> UploadState {
        UploadState { received, objects: Some(self.state.clone()) }
    }

    pub(in super::super) async fn recorded(&mut self) {
        self.recorded = self.state.parts.len();
        self.is_fresh = false;
        for name in mem::take(&mut self.superseded) {
            if let Err(error) = self.objects.remove(&name).await {
                tracing::warn!(%error, name, "cannot delete a part of an upload; the garbage collector will");
            }
        }
    }

    /// Sends what was gathered as a part, once the one before has arrived.
    async fn send_part(&mut self) -> io::Result<()> {
        self.finish_part().await?;
        let path = self.objects.path(&self.state.name);
        let id = match &self.state.multipart {
            Some(id) => id.clone(),
            None => {
                let id = self.objects.store.create_multipart(&path).await.map_err(io_error)?;
                self.is_fresh = true;
                self.state.multipart.insert(id).clone()
            }
        };
        let (part, mut hash) = (mem::take(&mut self.gathered), self.hash);
        let (part, hash) = blocking(move || {
            hash.update(&part);
            Ok((part, hash))
        })
        .await?;
        let (store, number) = (Arc::clone(&self.objects.store), self.state.parts.len());
        let payload = PutPayload::from(part);
        let sending = async move { store.put_part(&path, &id, number, payload).await };
        self.sending = Some((AbortOnDropHandle::new(tokio::spawn(sending)), hash));
        Ok(())
    }

    /// Waits for the part that is under way.
    async fn finish_part(&mut self) -> io::Result<()> {
        if let Some(kind) = self.failure {
            return Err(io::Error::new(kind, "an earlier part of the upload was not stored"));
        }
        if let Some((sending, hash)) = self.sending.take() {
            let part = sending.await.map_err(io::Error::other).and_then(|part| part.map_err(io_error));
            let part = part.inspect_err(|error| self.failure = Some(error.kind()))?;
            self.state.parts.push(part.content_id);
            self.hash = hash;
            self.state.hash = hash.to_text();
        }
        Ok(())
    }
}

/// Aborts a multipart upload that nothing but this knows.
impl Drop for PartialObject {
    fn drop(&mut self) {
        let id = self.state.multipart.take().filter(|_| self.is_fresh);
        let (Some(id), Ok(runtime)) = (id, tokio::runtime::Handle::try_current()) else { return };
        let (objects, path) = (self.objects.clone(), self.objects.path(&self.state.name));
        let sending = self.sending.take();
        runtime.spawn(async move {
            // A part that the store takes after the abort would stay.
            if let Some((sending, _)) = sending {
                let _ = sending.await;
            }
            if let Err(error) = objects.store.abort_multipart(&path, &id).await {
                tracing::warn!(%error, "cannot abort an upload; the bucket's rule for incomplete uploads deletes it");
            }
        });
    }
}
