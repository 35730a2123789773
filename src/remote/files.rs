//! The endpoints of files: `POST /v1/files`, `GET /v1/files/{id}`, `DELETE /v1/files/{id}`, and `GET /v1/files` for a page
//! of the list.

use super::{Call, Client, Clock, Json, PageRequest, Transport};

/// A reference to a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileRef {
    /// Its id; empty if only a link is known.
    pub id: String,
    /// The signed URL to upload or download, if known.
    pub link: Option<String>,
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// Creates a file of `size` bytes, to be uploaded later, with a media type if it is known. `key` is the idempotency key.
    pub fn create_file(&self, size: f64, format: Option<&str>, key: &str) -> Call<'_, T, C> {
        let attributes =
            T::Json::object(&[("size", Some(T::Json::number(size))), ("format", format.map(T::Json::text))]);
        let data =
            T::Json::object(&[("type", Some(T::Json::text("files"))), ("attributes", Some(attributes))]);
        self.post("/v1/files", T::Json::object(&[("data", Some(data))]), key, "files")
    }

    /// Reads a file.
    pub fn file(&self, id: &str) -> Call<'_, T, C> {
        self.get("/v1/files/", id, "files")
    }

    /// Deletes a file and its content; 409 while an unfinished task reads it.
    pub fn delete_file(&self, id: &str) -> Call<'_, T, C> {
        self.delete("/v1/files/", id)
    }

    /// Lists a page of files, newest first.
    pub fn files(&self, request: &PageRequest) -> Call<'_, T, C> {
        self.page("/v1/files", request, "files")
    }
}
