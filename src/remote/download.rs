//! The bytes of a file, from its signed URL. The answer is handed on unread: bytes are the host's business.

use super::json::{at, link};
use super::{Client, Clock, Content, Error, FileRef, Method, Request, Result, Transport};

impl<T: Transport, C: Clock> Client<T, C> {
    /// Opens the bytes from `offset` on: the answer is a 206 then, or a 200 with all of them where the service has no ranges or
    /// they are others than those of `etag`.
    pub async fn download(
        &self,
        file: &FileRef,
        offset: f64,
        etag: Option<String>,
    ) -> Result<T::Reply, Error<T::Json>> {
        let mut headers = Vec::new();
        if offset > 0.0 {
            headers.push(("range", format!("bytes={}-", offset as u64)));
            headers.extend(etag.map(|etag| ("if-range", etag)));
        }
        let mut attempts = self.attempts();
        let mut known = file.link.clone();
        loop {
            let link = match known.take() {
                Some(link) => link,
                None => self.download_link(&file.id).await?,
            };
            let url = self.signed(&link)?;
            let request = Request {
                method: Method::Get,
                url: &url,
                headers: &headers,
                content: Content::None,
                follows: true,
            };
            let mut failure = match self.fetch(self.settings.timeout, request).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let expired = matches!(failure.error.status, Some(403 | 410)) && !file.id.is_empty();
            failure.again |= expired && attempts.excuse();
            self.pause(&mut attempts, failure).await?;
            known = Some(link).filter(|_| !expired);
        }
    }

    async fn download_link(&self, id: &str) -> Result<String, Error<T::Json>> {
        let file = at(&self.file(id).await?, &["data"]);
        let link = file.and_then(|file| link(&file, "download"));
        link.ok_or_else(|| Error::new("file_not_uploaded", "The file has no bytes yet."))
    }
}
