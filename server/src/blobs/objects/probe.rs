//! Finds out whether the store keeps to what a URL was signed for, and whether it understands URLs that this service signs. S3 refuses headers
//! that begin with `x-amz-` and are not signed. A store that obeys them lets the owner of a URL copy any object that the credentials can read,
//! and then download the copy.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use object_store::{ObjectStore, PutPayload};
use reqwest::StatusCode;
use rusty_s3::Method;

use super::{CONNECT_TIMEOUT, Objects, io_error};
use crate::blobs::ResponseHeaders;
use crate::clock::Timestamp;
use crate::ids;

/// How long one request may take.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How long the URLs are valid: as long as those that clients get, since the clocks of the store and of this service may differ.
const LIFETIME: Duration = Duration::from_secs(3600);
/// What must not be copied.
const SECRET: &[u8] = b"a";
const SENT: &[u8] = b"b";

impl Objects {
    /// Whether a header that is not signed cannot make the store copy an object.
    pub(in super::super) async fn upload_urls_are_safe(&self, now: Timestamp) -> io::Result<bool> {
        let names = [ids::uuid()?, ids::uuid()?];
        let found = self.refuses_copy(&names, now).await;
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

    /// The same URL is used with the header and without: only a store that accepts the second request has refused the first for its header.
    async fn refuses_copy(&self, [source, target]: &[String; 2], now: Timestamp) -> io::Result<bool> {
        let length = [("content-length", SENT.len().to_string())];
        let url = self.signed_url(Method::Put, target, &[], &length, LIFETIME, now).await?;
        self.store.put(&self.path(source), PutPayload::from_static(SECRET)).await.map_err(io_error)?;
        let client = client()?;
        let put = || client.put(&url).body(SENT);
        let copy = put().header("x-amz-copy-source", format!("{}/{}", self.bucket, self.path(source)));
        let answer = copy.send().await.map_err(not_connected)?.status();
        let found = self.bytes(target).await?;
        if found.as_deref() == Some(SECRET) {
            return Ok(false);
        }
        let is_ignored = answer.is_success() && found.as_deref() == Some(SENT);
        let is_refused = found.is_none() && is_refusal(answer);
        let plain = put().send().await.map_err(not_connected)?.status();
        if !plain.is_success() || self.bytes(target).await?.as_deref() != Some(SENT) {
            return Err(io::Error::other(format!("an upload by a link has failed with the status {plain}")));
        }
        match is_ignored || is_refused {
            true => Ok(true),
            false => Err(io::Error::other(format!("a copy by a link was answered with the status {answer}"))),
        }
    }

    async fn gives_what_is_stored(&self, name: &str, now: Timestamp) -> io::Result<()> {
        let headers = ResponseHeaders {
            cache_control: "no-store",
            content_disposition: format!("attachment; filename=\"{name}.bin\""),
            content_type: "application/octet-stream",
        };
        let url = self.download_url(name, &headers, LIFETIME, now).await?;
        self.store.put(&self.path(name), PutPayload::from_static(SENT)).await.map_err(io_error)?;
        let answer = client()?.get(&url).send().await.map_err(not_connected)?;
        let status = answer.status();
        let is_attachment = answer
            .headers()
            .get(http::header::CONTENT_DISPOSITION)
            .is_some_and(|value| value.as_bytes() == headers.content_disposition.as_bytes());
        let bytes = answer.bytes().await.map_err(not_connected)?;
        match status == StatusCode::OK && is_attachment && bytes == SENT {
            true => Ok(()),
            false => {
                Err(io::Error::other(format!("a download by a link was answered with the status {status}")))
            }
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

/// Whether a store says that it will not do this. Other errors may pass.
fn is_refusal(status: StatusCode) -> bool {
    let may_pass = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];
    status.is_client_error() && !may_pass.contains(&status) || status == StatusCode::NOT_IMPLEMENTED
}

/// An error without the URL, which is signed.
fn not_connected(error: reqwest::Error) -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, error.without_url())
}
