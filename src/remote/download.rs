//! Downloads a file from its signed URL. The response body is left to the host.

use super::json::{at, link};
use super::{Body, Client, Clock, Error, FileRef, Method, Request, Result, Transport};

impl<T: Transport, C: Clock> Client<T, C> {
    /// Starts a download at byte `offset`. The response is 206, or 200 with the whole file if the server does not support ranges or
    /// the file no longer matches `etag`.
    pub async fn download(
        &self,
        file: &FileRef,
        offset: f64,
        etag: Option<String>,
    ) -> Result<T::Response, Error<T::Json>> {
        let mut headers = Vec::new();
        if offset > 0.0 {
            headers.push(("range", format!("bytes={}-", offset as u64)));
            headers.extend(etag.map(|etag| ("if-range", etag)));
        }
        let mut attempts = self.attempts();
        let mut next_link = file.link.clone();
        loop {
            let link = match next_link.take() {
                Some(link) => link,
                None => self.download_link(&file.id).await?,
            };
            let url = self.signed_url(&link)?;
            let request = Request {
                method: Method::Get,
                url: &url,
                headers: &headers,
                body: Body::None,
                follow_redirects: true,
            };
            let mut failure = match self.send_signed(self.settings.timeout, request).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let expired = matches!(failure.error.status, Some(403 | 410)) && !file.id.is_empty();
            failure.retry |= expired && attempts.grant_extra();
            self.pause(&mut attempts, failure).await?;
            next_link = Some(link).filter(|_| !expired);
        }
    }

    async fn download_link(&self, id: &str) -> Result<String, Error<T::Json>> {
        let file = at(&self.file(id).await?, &["data"]);
        let link = file.and_then(|file| link(&file, "download"));
        link.ok_or_else(|| Error::new("file_not_uploaded", "The file has no bytes yet."))
    }
}
