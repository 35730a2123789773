//! Contents that clients send to the object store and get from it themselves. The URL of an upload is signed for one file and its declared size.

use std::io;
use std::time::Duration;

use super::{Blobs, StoredBlob};
use crate::clock::Timestamp;

/// The headers of a download from the object store.
#[derive(Debug, Clone)]
pub struct ResponseHeaders {
    /// `Cache-Control`.
    pub cache_control: &'static str,
    /// `Content-Disposition`.
    pub content_disposition: String,
    /// `Content-Type`.
    pub content_type: &'static str,
}

/// An upload as the store has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// Its size in bytes.
    pub size: u64,
    /// Whether it was sent with a `Content-Encoding`. The store would send that with every download.
    pub is_coded: bool,
}

impl Blobs {
    /// The URL of a PUT of exactly `size` bytes for a file, valid for `lifetime` from `now` on, but no longer than the credentials of the
    /// store. `None` if there is no object store, or the file is larger than what it takes in one request.
    ///
    /// # Errors
    ///
    /// If there are no credentials.
    pub async fn upload_url(
        &self,
        file: &str,
        size: u64,
        lifetime: Duration,
        now: Timestamp,
    ) -> io::Result<Option<String>> {
        match &self.objects {
            None => Ok(None),
            Some(objects) => objects.upload_url(file, size, lifetime, now).await,
        }
    }

    /// The URL of a GET of a content, valid for `lifetime` from `now` on, but no longer than the credentials of the store. `None` if there is
    /// no object store.
    ///
    /// # Errors
    ///
    /// As [`Self::upload_url`].
    pub async fn download_url(
        &self,
        name: &str,
        headers: &ResponseHeaders,
        lifetime: Duration,
        now: Timestamp,
    ) -> io::Result<Option<String>> {
        match &self.objects {
            None => Ok(None),
            Some(objects) => objects.download_url(name, headers, lifetime, now).await.map(Some),
        }
    }

    /// Whether the URL of an upload copies no other object: the store ignores or refuses a header that asks for it. The URLs of the test are valid
    /// from `now` on.
    ///
    /// # Errors
    ///
    /// As [`Self::sent`], and if the store does not answer as one that can be judged.
    pub async fn upload_urls_are_safe(&self, now: Timestamp) -> io::Result<bool> {
        match &self.objects {
            None => Ok(true),
            Some(objects) => objects.upload_urls_are_safe(now).await,
        }
    }

    /// Whether the URL of a download, valid from `now` on, gives what was stored.
    ///
    /// # Errors
    ///
    /// As [`Self::sent`], and if it does not.
    pub async fn download_urls_work(&self, now: Timestamp) -> io::Result<()> {
        match &self.objects {
            None => Ok(()),
            Some(objects) => objects.download_urls_work(now).await,
        }
    }

    /// What has come by the URL of a file; `None` if it was not used.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotConnected`] if the object store cannot be reached.
    pub async fn sent(&self, file: &str) -> io::Result<Option<Sent>> {
        match &self.objects {
            None => Ok(None),
            Some(objects) => objects.sent(file).await,
        }
    }

    /// Makes a content of the `size` bytes that have come by the URL of a file; `None` if there are not so many any more. What has come
    /// stays until [`Self::remove`] is called with the id of the file.
    ///
    /// # Errors
    ///
    /// As [`Self::sent`].
    pub async fn take_sent(&self, file: &str, size: u64) -> io::Result<Option<StoredBlob>> {
        match &self.objects {
            None => Ok(None),
            Some(objects) => objects.take_sent(file, size).await,
        }
    }
}
