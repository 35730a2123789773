//! Builds absolute URLs, and signed URLs of file contents.

use crate::app::App;
use crate::clock::Timestamp;
use crate::store::records::File;

impl App {
    /// The URL of a file.
    pub fn file_url(&self, id: &str) -> String {
        format!("{}/v1/files/{id}", self.public_url)
    }

    /// The URL of a task.
    pub fn task_url(&self, id: &str) -> String {
        format!("{}/v1/tasks/{id}", self.public_url)
    }

    /// The signed upload URL, for exactly the declared length. Valid for `url_lifetime`, at most until the record expires.
    pub fn upload_url(&self, file: &File, now: Timestamp) -> String {
        let expires = now.after(self.config.url_lifetime).min(file.expires_at);
        self.signed("PUT", &file.id, expires, Some(file.size))
    }

    /// The signed download URL. For a public file it is valid until the file expires, and therefore always the same.
    pub fn download_url(&self, file: &File, now: Timestamp) -> String {
        let lifetime = now.after(self.config.url_lifetime).min(file.expires_at);
        let expires = if file.public { file.expires_at } else { lifetime };
        self.signed("GET", &file.id, expires, None)
    }

    fn signed(&self, method: &str, id: &str, expires: Timestamp, length: Option<u64>) -> String {
        let path = content_path(id);
        format!("{}{path}?{}", self.public_url, self.signer.sign(method, &path, expires, length))
    }
}

/// The path of a file's content, which is part of the signed message.
pub fn content_path(id: &str) -> String {
    format!("/v1/files/{id}/content")
}
