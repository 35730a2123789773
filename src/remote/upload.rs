//! The bytes of a declared file, sent to its signed URL.

use super::json::{at, link};
use super::{Client, Clock, Content, Error, FileRef, Method, Request, Result, Transport};

/// What is sent where.
#[derive(Debug, Clone, PartialEq)]
pub struct Upload<B> {
    /// The declared file.
    pub file: FileRef,
    /// Its bytes.
    pub bytes: B,
    /// How many there are.
    pub size: f64,
}

/// Bytes a millisecond: an upload that is slower is given up, since not every host can tell how it proceeds.
const SLOWEST: f64 = 16.0;

impl<T: Transport, C: Clock> Client<T, C> {
    /// Sends the bytes. A URL that was refused is replaced by a fresh one.
    pub async fn upload(&self, upload: &Upload<T::Bytes>) -> Result<(), Error<T::Json>> {
        let Upload { file, bytes, size } = upload;
        let mut attempts = self.attempts();
        let mut known = file.link.clone();
        let replaceable = !file.id.is_empty();
        // An attempt whose answer was lost may have succeeded.
        let mut sent = false;
        loop {
            let link = match known.take() {
                Some(link) => link,
                None => match self.upload_link(&file.id, sent).await? {
                    Some(link) => link,
                    None => return Ok(()),
                },
            };
            let url = self.signed(&link)?;
            let request = Request {
                method: Method::Put,
                url: &url,
                headers: &[],
                content: Content::Bytes(bytes),
                follows: true,
            };
            let Err(mut failure) = self.fetch(self.settings.timeout + size / SLOWEST, request).await else {
                return Ok(());
            };
            let status = failure.error.status;
            if status == Some(409) && sent {
                return Ok(());
            }
            sent |= status.is_none();
            let expired = matches!(status, Some(403 | 410)) && replaceable;
            // Bytes that stopped half way are refused as too few, and may be sent again.
            failure.again |= (expired || failure.error.code == "size_mismatch") && attempts.excuse();
            self.pause(&mut attempts, failure).await?;
            known = Some(link).filter(|_| !(expired || sent && replaceable));
        }
    }

    /// A fresh URL for the bytes; `None` where an attempt that was `sent` has arrived after all.
    async fn upload_link(&self, id: &str, sent: bool) -> Result<Option<String>, Error<T::Json>> {
        let Some(file) = at(&self.file(id).await?, &["data"]) else { return Ok(None) };
        match link(&file, "upload") {
            Some(link) => Ok(Some(link)),
            None if sent && link(&file, "download").is_some() => Ok(None),
            None => Err(Error::new("already_uploaded", "The file awaits no bytes: it has them already.")),
        }
    }

    /// A link that bytes may travel over.
    pub(super) fn signed(&self, link: &str) -> Result<String, Error<T::Json>> {
        match self.base.follow(link) {
            Ok(address) => Ok(address.as_str().to_owned()),
            Err(_) => Err(Error::new(
                Error::<T::Json>::FOREIGN_LINK,
                "The service sent an unsafe address for the bytes.",
            )),
        }
    }
}
