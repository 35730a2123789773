//! The parts of an object whose bytes are too many, too slow or not counted yet for one request. A few are under way at a time, and each that
//! fails is repeated.

use std::io;
use std::mem;

use object_store::{MultipartUpload, ObjectStore, PutPayload};
use tokio::task::JoinSet;

use super::{Objects, io_error};

/// Parts under way at once.
const AT_ONCE: usize = 2;

/// A multipart upload. Dropping it aborts it.
#[derive(Debug)]
pub(super) struct Parts {
    /// `None` once it is complete.
    upload: Option<Box<dyn MultipartUpload>>,
    under_way: JoinSet<object_store::Result<()>>,
}

impl Parts {
    /// Starts an upload of an object with this name.
    pub(super) async fn start(objects: &Objects, name: &str) -> io::Result<Self> {
        let upload = objects.store.put_multipart(&objects.path(name)).await.map_err(io_error)?;
        Ok(Self { upload: Some(upload), under_way: JoinSet::new() })
    }

    /// Sends the next part, once few enough are under way.
    pub(super) async fn send(&mut self, part: PutPayload) -> io::Result<()> {
        self.wait(AT_ONCE - 1).await?;
        if let Some(upload) = &mut self.upload {
            self.under_way.spawn(upload.put_part(part));
        }
        Ok(())
    }

    /// Makes an object of all parts.
    pub(super) async fn complete(mut self) -> io::Result<()> {
        self.wait(0).await?;
        if let Some(upload) = &mut self.upload {
            upload.complete().await.map_err(io_error)?;
        }
        // There is nothing left to abort.
        self.upload = None;
        Ok(())
    }

    /// Waits until no more than so many parts are under way.
    async fn wait(&mut self, most: usize) -> io::Result<()> {
        while self.under_way.len() > most {
            if let Some(part) = self.under_way.join_next().await {
                part.map_err(io::Error::other)?.map_err(io_error)?;
            }
        }
        Ok(())
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        let (upload, runtime) = (self.upload.take(), tokio::runtime::Handle::try_current());
        let mut under_way = mem::take(&mut self.under_way);
        if let (Some(mut upload), Ok(runtime)) = (upload, runtime) {
            runtime.spawn(async move {
                // A part that the store takes after the abort would stay.
                while under_way.join_next().await.is_some() {}
                if let Err(error) = upload.abort().await {
                    tracing::warn!(%error, "cannot abort an upload; the bucket's rule for incomplete uploads deletes it");
                }
            });
        }
    }
}
