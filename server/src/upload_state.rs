//! How far a resumable upload is: what the database keeps of it, and what the blob store needs to continue it.

/// What of an upload is safely stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UploadState {
    /// Bytes, from the first one on.
    pub received: u64,
    /// Where an object store has them; `None` before the first ones, and in a folder.
    pub objects: Option<ObjectUpload>,
}

/// The bytes of an upload in an object store: parts of a multipart upload, then an object with the rest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectUpload {
    /// The name that the content will have.
    pub name: String,
    /// The store's id of the multipart upload; `None` before the first part.
    pub multipart: Option<String>,
    /// The store's ids of its parts, all of the same size.
    pub parts: Vec<String>,
    /// The state of SHA-256 after these parts.
    pub hash: String,
    /// The name of the object with the bytes after these parts; `None` if there are none.
    pub rest: Option<String>,
}
