//! Builds absolute URLs, and signed URLs of file contents.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::app::App;
use crate::blobs::ResponseHeaders;
use crate::clock::Timestamp;
use crate::store::records::File;

/// How long a redirect to the object store can be followed at least: the clocks of the store and of this service may differ.
const MIN_REDIRECT_LIFETIME: Duration = Duration::from_secs(300);

impl App {
    /// The URL of a file.
    pub fn file_url(&self, id: &str) -> String {
        format!("{}/v1/files/{id}", self.public_url)
    }

    /// The URL of a task.
    pub fn task_url(&self, id: &str) -> String {
        format!("{}/v1/tasks/{id}", self.public_url)
    }

    /// The signed upload URL, for exactly the declared length. Valid for `url_lifetime`, at most until the record expires. It leads to the object
    /// store if direct uploads are set and safe, and the store can take the file so.
    pub async fn upload_url(&self, file: &File, now: Timestamp) -> String {
        let expires = now.after(self.config.url_lifetime).min(file.expires_at);
        if self.direct_uploads.load(Ordering::Relaxed) {
            match self.blobs.upload_url(&file.id, file.size, expires.since(now), now).await {
                Ok(Some(url)) => return url,
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, "cannot sign a link to the object store; this upload goes through the server")
                }
            }
        }
        self.signed("PUT", &file.id, expires, Some(file.size))
    }

    /// The signed URL of a resumable upload, for exactly the declared length. Valid until the record expires, as an upload that is continued may
    /// take long.
    pub fn resumable_url(&self, file: &File) -> String {
        let path = upload_path(&file.id);
        let query = self.signer.sign(RESUMABLE_METHOD, &path, file.expires_at, Some(file.size));
        format!("{}{path}?{query}", self.public_url)
    }

    /// The signed download URL. For a public file it is valid until the file expires, and therefore always the same.
    pub fn download_url(&self, file: &File, now: Timestamp) -> String {
        let lifetime = now.after(self.config.url_lifetime).min(file.expires_at);
        let expires = if file.public { file.expires_at } else { lifetime };
        self.signed("GET", &file.id, expires, None)
    }

    /// The URL of the object store that a download is redirected to, by a URL that is valid until `expires`; the response has the given headers.
    /// `None` unless direct downloads are set and work, or if the server has no credentials to sign it.
    pub async fn direct_download_url(
        &self,
        blob: &str,
        headers: &ResponseHeaders,
        expires: Timestamp,
        now: Timestamp,
    ) -> Option<String> {
        if !self.direct_downloads.load(Ordering::Relaxed) {
            return None;
        }
        let lifetime = expires.since(now).max(MIN_REDIRECT_LIFETIME);
        self.blobs.download_url(blob, headers, lifetime, now).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot sign a link to the object store; this download goes through the server");
            None
        })
    }

    fn signed(&self, method: &str, id: &str, expires: Timestamp, length: Option<u64>) -> String {
        let path = content_path(id);
        format!("{}{path}?{}", self.public_url, self.signer.sign(method, &path, expires, length))
    }
}

/// What the signature of a resumable upload's URL allows, in place of a method: all methods of tus.
pub const RESUMABLE_METHOD: &str = "TUS";

/// The path of a file's resumable upload, which is part of the signed message.
pub fn upload_path(id: &str) -> String {
    format!("/v1/uploads/{id}")
}

/// The path of a file's content, which is part of the signed message.
pub fn content_path(id: &str) -> String {
    format!("/v1/files/{id}/content")
}
