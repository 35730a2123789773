//! Objects that clients send and get themselves. The URL of an upload is signed for the exact size, so that the store refuses another one. It may
//! be used again for as long as it is valid: what becomes a content is therefore a copy, which no URL of an upload leads to.

use std::io;
use std::time::Duration;

use object_store::signer::Signer;
use object_store::{Attribute, Error, GetOptions, ObjectStore};
use rusty_s3::Method;
use rusty_s3::signing::sign;
use time::OffsetDateTime;

use super::{MAX_COPY, Objects, io_error};
use crate::blobs::{ResponseHeaders, Sent, StoredBlob};
use crate::clock::Timestamp;

/// The longest time in seconds that a URL may be valid (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters").
const MAX_LIFETIME: u64 = 7 * 24 * 3600;

impl Objects {
    /// The URL of a PUT of exactly `size` bytes; `None` if a single request may not have so many, which is what S3 copies by itself too.
    pub(in super::super) async fn upload_url(
        &self,
        name: &str,
        size: u64,
        lifetime: Duration,
        now: Timestamp,
    ) -> io::Result<Option<String>> {
        if size > MAX_COPY {
            return Ok(None);
        }
        let length = [("content-length", size.to_string())];
        self.signed_url(Method::Put, name, &[], &length, lifetime, now).await.map(Some)
    }

    /// The URL of a GET; the response has these headers in place of those that the store would choose.
    pub(in super::super) async fn download_url(
        &self,
        name: &str,
        headers: &ResponseHeaders,
        lifetime: Duration,
        now: Timestamp,
    ) -> io::Result<String> {
        // Amazon S3 API Reference, "GetObject".
        let query = [
            ("response-cache-control", headers.cache_control.to_owned()),
            ("response-content-disposition", headers.content_disposition.clone()),
            ("response-content-type", headers.content_type.to_owned()),
        ];
        self.signed_url(Method::Get, name, &query, &[], lifetime, now).await
    }

    /// A URL that is valid for `lifetime` from `now` on, for requests with these members of the query and these headers.
    pub(super) async fn signed_url(
        &self,
        method: Method,
        name: &str,
        query: &[(&str, String)],
        headers: &[(&str, String)],
        lifetime: Duration,
        now: Timestamp,
    ) -> io::Result<String> {
        // How a store wants its objects to be addressed is up to its settings. The signature has none of the members, and is replaced.
        let signed = self.store.signed_url(http::Method::GET, &self.path(name), lifetime).await;
        let mut url = signed.map_err(io_error)?;
        url.set_query(None);
        let credential = self.store.credentials().get_credential().await.map_err(io_error)?;
        let signed = sign(
            &OffsetDateTime::from_unix_timestamp_nanos(now.0.into()).map_err(io::Error::other)?,
            method,
            url,
            &credential.key_id,
            &credential.secret_key,
            credential.token.as_deref(),
            &self.region,
            lifetime.as_secs().clamp(1, MAX_LIFETIME),
            query.iter().map(|(name, value)| (*name, value.as_str())),
            headers.iter().map(|(name, value)| (*name, value.as_str())),
        );
        // The signature is that of the text in which a space is `%20`. Not every store reads a `+` as one.
        let (place, query) = signed.as_str().split_once('?').unwrap_or((signed.as_str(), ""));
        Ok(format!("{place}?{}", query.replace('+', "%20")))
    }

    /// What has come by a URL; `None` if it was not used.
    pub(in super::super) async fn sent(&self, name: &str) -> io::Result<Option<Sent>> {
        let options = GetOptions { head: true, ..GetOptions::default() };
        match self.store.get_opts(&self.path(name), options).await {
            Ok(found) => {
                let coding = found.attributes.get(&Attribute::ContentEncoding);
                let is_coded = coding.is_some_and(|coding| !coding.eq_ignore_ascii_case("identity"));
                Ok(Some(Sent { size: found.meta.size, is_coded }))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(io_error(error)),
        }
    }

    /// Copies what a client has sent, and reads the copy; `None` if it is coded or has not this size, as something else was sent meanwhile. A copy that
    /// cannot be read is deleted: with every request that is repeated there would be another one.
    pub(in super::super) async fn take_sent(&self, name: &str, size: u64) -> io::Result<Option<StoredBlob>> {
        let copy = match self.copy(name).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            copied => copied?,
        };
        let stored = self.checked(&copy, size).await;
        if !matches!(stored, Ok(Some(_)))
            && let Err(error) = self.remove(&copy).await
        {
            tracing::warn!(%error, blob = copy, "cannot delete the copy of an upload; the garbage collector will");
        }
        stored
    }

    /// The object as a content, if it has this size and is not coded.
    async fn checked(&self, name: &str, size: u64) -> io::Result<Option<StoredBlob>> {
        if self.sent(name).await? != Some(Sent { size, is_coded: false }) {
            return Ok(None);
        }
        let (sha256, head) = self.digest(name, size).await?;
        Ok(Some(StoredBlob { name: name.to_owned(), size, sha256, head }))
    }
}
