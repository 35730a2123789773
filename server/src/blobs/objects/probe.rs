//! Finds out whether the store keeps to what a URL was signed for. S3 refuses headers that begin with `x-amz-` and are not signed. A store that
//! obeys them lets the owner of a URL copy any object that the credentials can read, and then download the copy.

use std::io;
use std::time::Duration;

use object_store::{ObjectStore, PutPayload};

use super::{CONNECT_TIMEOUT, Objects, io_error};
use crate::clock::Timestamp;
use crate::ids;

/// How long the request may take, and its URL is valid.
const TIMEOUT: Duration = Duration::from_secs(20);
const SECRET: &[u8] = b"a";
const SENT: &[u8] = b"b";

impl Objects {
    /// Whether a header that is not signed cannot make the store copy an object. Leaves nothing in the store.
    pub(in super::super) async fn upload_urls_are_safe(&self, now: Timestamp) -> io::Result<bool> {
        let (source, target) = (ids::uuid()?, ids::uuid()?);
        let copied = self.copies_unasked(&source, &target, now).await;
        for name in [source, target] {
            if let Err(error) = self.remove(&name).await {
                tracing::warn!(%error, blob = name, "cannot delete an object of a test; the garbage collector will");
            }
        }
        copied.map(|copied| !copied)
    }

    async fn copies_unasked(&self, source: &str, target: &str, now: Timestamp) -> io::Result<bool> {
        self.store.put(&self.path(source), PutPayload::from_static(SECRET)).await.map_err(io_error)?;
        let length = [("content-length", SENT.len().to_string())];
        let url = self.signed_url(rusty_s3::Method::Put, target, &[], &length, TIMEOUT, now).await?;
        let client = reqwest::Client::builder().connect_timeout(CONNECT_TIMEOUT).timeout(TIMEOUT);
        let client = client.redirect(reqwest::redirect::Policy::none()).build().map_err(io::Error::other)?;
        let header = format!("/{}/{}", self.bucket, self.path(source));
        let request = client.put(url).header("x-amz-copy-source", header).body(SENT);
        let answer = request.send().await.map_err(|error| not_connected(error.without_url()))?;
        tracing::debug!(
            status = answer.status().as_u16(),
            "asked the object store for a copy that no signature allows"
        );
        match self.store.get(&self.path(target)).await {
            Ok(object) => Ok(object.bytes().await.map_err(io_error)? == SECRET),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(io_error(error)),
        }
    }
}

fn not_connected(error: reqwest::Error) -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, error)
}
