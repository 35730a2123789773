//! Files: declared, looked up, named.

use super::{Call, Client, Clock, Json, PageRequest, Transport};

/// A file as a caller knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileRef {
    /// Its id; may be empty where only a link is known.
    pub id: String,
    /// The signed URL for what is to be done, where it is known.
    pub link: Option<String>,
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// Declares a file of so many bytes and, where it is known, of a media type. `key` makes it once.
    pub fn create_file(&self, size: f64, format: Option<&str>, key: &str) -> Call<'_, T, C> {
        let attributes =
            T::Json::object(&[("size", Some(T::Json::number(size))), ("format", format.map(T::Json::text))]);
        let data =
            T::Json::object(&[("type", Some(T::Json::text("files"))), ("attributes", Some(attributes))]);
        self.post("/v1/files", T::Json::object(&[("data", Some(data))]), key, "files")
    }

    /// A file by its id.
    pub fn file(&self, id: &str) -> Call<'_, T, C> {
        self.get("/v1/files/", id, "files")
    }

    /// Removes a file and its bytes. One that an unfinished task reads stays: 409.
    pub fn delete_file(&self, id: &str) -> Call<'_, T, C> {
        self.delete("/v1/files/", id)
    }

    /// Part of the files, the newest first.
    pub fn files(&self, request: &PageRequest) -> Call<'_, T, C> {
        self.page("/v1/files", request, "files")
    }
}
