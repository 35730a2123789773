//! Reads objects in portions, each with a request of its own, so that no request waits for a slow client.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use filepress_wire::SNIFF_BYTES;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::ObjectStore;
use object_store::aws::AmazonS3;
use object_store::path::Path as ObjectPath;
use sha2::{Digest, Sha256};

use super::{Objects, io_error};
use crate::blobs::folder::hex_digest;
use crate::blobs::{BlobRef, blocking};

/// Bytes per request.
const PORTION: u64 = 4 << 20;
/// Requests at once: while one portion is sent, the next is fetched.
const AT_ONCE: usize = 2;

impl Objects {
    /// Reads a range. The first portion is here when this returns, so that a missing object is an error and not a response that breaks.
    pub(in super::super) async fn read(
        &self,
        name: &str,
        start: u64,
        length: u64,
    ) -> io::Result<BoxStream<'static, io::Result<Bytes>>> {
        let (store, path) = (self.store.clone(), self.path(name));
        let end = start.saturating_add(length);
        let starts = (start..end).step_by(usize::try_from(PORTION).unwrap_or(usize::MAX));
        let mut portions = stream::iter(starts)
            .map(move |from| portion(Arc::clone(&store), path.clone(), from..end.min(from + PORTION)))
            .buffered(AT_ONCE);
        match portions.try_next().await? {
            Some(first) => Ok(stream::once(std::future::ready(Ok(first))).chain(portions).boxed()),
            None => Ok(stream::empty().boxed()),
        }
    }

    /// Reads an object of this size: its SHA-256 in hexadecimal, and its first [`SNIFF_BYTES`].
    pub(super) async fn digest(&self, name: &str, size: u64) -> io::Result<(String, Vec<u8>)> {
        let mut portions = self.read(name, 0, size).await?;
        let (mut hash, mut head) = (Sha256::new(), Vec::new());
        while let Some(portion) = portions.try_next().await? {
            let missing = SNIFF_BYTES.saturating_sub(head.len()).min(portion.len());
            head.extend_from_slice(&portion[..missing]);
            hash = blocking(move || Ok(hash.chain_update(&portion))).await?;
        }
        Ok((hex_digest(hash), head))
    }

    /// Writes an object into a new file and checks that it is the one that was stored.
    pub(in super::super) async fn fetch(&self, blob: BlobRef<'_>, path: &Path) -> io::Result<()> {
        let mut portions = self.read(blob.name, 0, blob.size).await?;
        let path = path.to_owned();
        let mut file = blocking(move || std::fs::File::create_new(path)).await?;
        let mut hash = Sha256::new();
        while let Some(portion) = portions.try_next().await? {
            (file, hash) = blocking(move || {
                file.write_all(&portion)?;
                hash.update(&portion);
                Ok((file, hash))
            })
            .await?;
        }
        match hex_digest(hash) == blob.sha256 {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::InvalidData, "an object is not what was stored")),
        }
    }
}

/// Reads a part of an object. A store gives less than was asked for, without an error, if there is no more.
async fn portion(store: Arc<AmazonS3>, path: ObjectPath, range: Range<u64>) -> io::Result<Bytes> {
    let length = range.end - range.start;
    let bytes = store.get_range(&path, range).await.map_err(io_error)?;
    match bytes.len() as u64 == length {
        true => Ok(bytes),
        false => {
            Err(io::Error::new(io::ErrorKind::UnexpectedEof, "an object is shorter than what was stored"))
        }
    }
}
