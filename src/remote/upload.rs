//! Uploads the content of a created file to its signed URL.

use super::json::{at, link};
use super::{Body, Client, Clock, Error, FileRef, Method, Request, Result, Transport};

/// An upload.
#[derive(Debug, Clone, PartialEq)]
pub struct Upload<B> {
    /// The created file.
    pub file: FileRef,
    /// Its content.
    pub bytes: B,
    /// The size of the content in bytes.
    pub size: f64,
}

/// An upload slower than this, in bytes per millisecond, times out: not every host reports its progress.
const MIN_BYTES_PER_MS: f64 = 16.0;

impl<T: Transport, C: Clock> Client<T, C> {
    /// Uploads the content. If the signed URL has expired, the upload is retried once with a new one.
    pub async fn upload(&self, upload: &Upload<T::Bytes>) -> Result<(), Error<T::Json>> {
        let Upload { file, bytes, size } = upload;
        let mut attempts = self.attempts();
        let mut next_link = file.link.clone();
        let replaceable = !file.id.is_empty();
        // An attempt without a response may have succeeded.
        let mut sent = false;
        loop {
            let link = match next_link.take() {
                Some(link) => link,
                None => match self.upload_link(&file.id, sent).await? {
                    Some(link) => link,
                    None => return Ok(()),
                },
            };
            let url = self.signed_url(&link)?;
            let request = Request {
                method: Method::Put,
                url: &url,
                headers: &[],
                body: Body::Bytes(bytes),
                follow_redirects: true,
            };
            let Err(mut failure) =
                self.send_signed(self.settings.timeout + size / MIN_BYTES_PER_MS, request).await
            else {
                return Ok(());
            };
            let status = failure.error.status;
            if status == Some(409) && sent {
                return Ok(());
            }
            sent |= status.is_none();
            let expired = matches!(status, Some(403 | 410)) && replaceable;
            // The server refuses an interrupted upload with this code.
            failure.retry |= (expired || failure.error.code == "size_mismatch") && attempts.grant_extra();
            self.pause(&mut attempts, failure).await?;
            next_link = Some(link).filter(|_| !(expired || sent && replaceable));
        }
    }

    /// Reads a new upload URL; `None` if an earlier attempt that was `sent` did succeed.
    async fn upload_link(&self, id: &str, sent: bool) -> Result<Option<String>, Error<T::Json>> {
        let Some(file) = at(&self.file(id).await?, &["data"]) else { return Ok(None) };
        match link(&file, "upload") {
            Some(link) => Ok(Some(link)),
            None if sent && link(&file, "download").is_some() => Ok(None),
            None => Err(Error::new("already_uploaded", "The file already has its bytes.")),
        }
    }

    /// Validates a signed link.
    pub(super) fn signed_url(&self, link: &str) -> Result<String, Error<T::Json>> {
        match self.base.resolve(link) {
            Ok(url) => Ok(url.as_str().to_owned()),
            Err(_) => {
                Err(Error::new(Error::<T::Json>::FOREIGN_LINK, "The server sent an unsafe signed URL."))
            }
        }
    }
}
