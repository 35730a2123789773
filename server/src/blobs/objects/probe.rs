//! Finds out whether the store keeps to what a URL was signed for, and whether it understands URLs that this service signs. S3 refuses headers
//! that begin with `x-amz-` and are not signed. A store that obeys them lets the owner of a URL copy any object that the credentials can read,
//! and then download the copy.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use object_store::{Attribute, Attributes, ObjectStore, PutOptions, PutPayload};
use reqwest::{RequestBuilder, StatusCode};
use rusty_s3::Method;

use super::{CONNECT_TIMEOUT, Objects, io_error};
use crate::blobs::ResponseHeaders;
use crate::clock::Timestamp;
use crate::ids;

/// How long one request may take.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How long the URLs are valid: as long as those of clients are by default, since the clocks of the store and of this service may differ.
const LIFETIME: Duration = Duration::from_secs(3600);
/// The answers that say that a store will not do this: 403 of S3, 400 of others. Other errors can pass.
const REFUSALS: [StatusCode; 4] = [
    StatusCode::BAD_REQUEST,
    StatusCode::FORBIDDEN,
    StatusCode::METHOD_NOT_ALLOWED,
    StatusCode::NOT_IMPLEMENTED,
];
/// What must not be copied.
const SECRET: &[u8] = b"a";
const SENT: &[u8] = b"b";

impl Objects {
    /// Whether a header that is not signed cannot make the store copy an object.
    pub(in super::super) async fn upload_urls_are_safe(&self, now: Timestamp) -> io::Result<bool> {
        let names = [ids::uuid()?, ids::uuid()?, ids::uuid()?];
        let found = self.copies_nothing(&names, now).await;
        self.clear(&names).await;
        found
    }

    /// Whether the URL of a download gives what was stored, with the headers that it names.
    pub(in super::super) async fn download_urls_work(&self, now: Timestamp) -> io::Result<()> {
        let name = ids::uuid()?;
        let found = self.gives_what_is_stored(&name, now).await;
        self.clear(&[name]).await;
        found
    }

    /// A request can fail for many reasons. That nothing was copied counts only if the object can be copied, if the same URL works without the
    /// header, and if another URL has the same result.
    async fn copies_nothing(
        &self,
        [source, first, second]: &[String; 3],
        now: Timestamp,
    ) -> io::Result<bool> {
        self.store.put(&self.path(source), PutPayload::from_static(SECRET)).await.map_err(io_error)?;
        let copy = self.copy(source).await?;
        let copied = self.bytes(&copy).await;
        self.clear(&[copy]).await;
        if copied?.as_deref() != Some(SECRET) {
            return Err(io::Error::other("the store has not copied an object"));
        }
        if self.copies(source, first, now).await? {
            return Ok(false);
        }
        let plain = self.upload(first, now).await?.send().await.map_err(not_connected)?.status();
        if !plain.is_success() || self.bytes(first).await?.as_deref() != Some(SENT) {
            return Err(io::Error::other(format!("an upload by a link has failed with the status {plain}")));
        }
        Ok(!self.copies(source, second, now).await?)
    }

    /// Whether an upload to `target` becomes a copy by a header that is not signed.
    async fn copies(&self, source: &str, target: &str, now: Timestamp) -> io::Result<bool> {
        let place = format!("{}/{}", self.bucket, self.path(source));
        let request = self.upload(target, now).await?.header("x-amz-copy-source", place);
        let status = request.send().await.map_err(not_connected)?.status();
        match self.bytes(target).await?.as_deref() {
            Some(SECRET) => Ok(true),
            Some(SENT) if status.is_success() => Ok(false),
            None if REFUSALS.contains(&status) => Ok(false),
            _ => Err(io::Error::other(format!("a copy by a link was answered with the status {status}"))),
        }
    }

    /// A PUT by the URL of an upload.
    async fn upload(&self, name: &str, now: Timestamp) -> io::Result<RequestBuilder> {
        let length = [("content-length", SENT.len().to_string())];
        let url = self.signed_url(Method::Put, name, &[], &length, LIFETIME, now).await?;
        Ok(client()?.put(url).body(SENT))
    }

    async fn gives_what_is_stored(&self, name: &str, now: Timestamp) -> io::Result<()> {
        let headers = ResponseHeaders {
            cache_control: "no-store",
            content_disposition: format!("attachment; filename=\"{name}.bin\""),
            content_type: "application/octet-stream",
        };
        let url = self.download_url(name, &headers, LIFETIME, now).await?;
        // Of another type, so that the one of the URL is seen.
        let stored = Attributes::from_iter([(Attribute::ContentType, "text/plain")]);
        let stored = PutOptions { attributes: stored, ..PutOptions::default() };
        self.store
            .put_opts(&self.path(name), PutPayload::from_static(SENT), stored)
            .await
            .map_err(io_error)?;
        let answer = client()?.get(&url).send().await.map_err(not_connected)?;
        let status = answer.status();
        let other = [
            (CONTENT_TYPE, headers.content_type),
            (CACHE_CONTROL, headers.cache_control),
            (CONTENT_DISPOSITION, &headers.content_disposition),
        ]
        .into_iter()
        .find(|(name, value)| answer.headers().get(name).is_none_or(|found| found != value));
        let bytes = answer.bytes().await.map_err(not_connected)?;
        match other {
            _ if status != StatusCode::OK || bytes != SENT => {
                Err(io::Error::other(format!("a download by a link was answered with the status {status}")))
            }
            Some((name, _)) => Err(io::Error::other(format!("a download by a link has another {name}"))),
            None => Ok(()),
        }
    }

    /// The bytes of a small object; `None` if there is none.
    async fn bytes(&self, name: &str) -> io::Result<Option<Bytes>> {
        match self.store.get(&self.path(name)).await {
            Ok(object) => object.bytes().await.map(Some).map_err(io_error),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(io_error(error)),
        }
    }

    async fn clear(&self, names: &[String]) {
        for name in names {
            if let Err(error) = self.remove(name).await {
                tracing::warn!(%error, blob = name, "cannot delete an object of a test; the garbage collector will");
            }
        }
    }
}

fn client() -> io::Result<reqwest::Client> {
    let client = reqwest::Client::builder().connect_timeout(CONNECT_TIMEOUT).timeout(TIMEOUT);
    client.redirect(reqwest::redirect::Policy::none()).build().map_err(io::Error::other)
}

/// An error without the URL, which is signed.
fn not_connected(error: reqwest::Error) -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, error.without_url())
}
