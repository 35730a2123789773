//! Files: declared, looked up, named.

use super::list::encode;
use super::{Client, Clock, Error, Json, PageRequest, Result, Transport};

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
    pub async fn create_file(
        &self,
        size: f64,
        format: Option<&str>,
        key: &str,
    ) -> Result<T::Json, Error<T::Json>> {
        let attributes =
            T::Json::object(&[("size", Some(T::Json::number(size))), ("format", format.map(T::Json::text))]);
        let data =
            T::Json::object(&[("type", Some(T::Json::text("files"))), ("attributes", Some(attributes))]);
        self.post("/v1/files", &T::Json::object(&[("data", Some(data))]), key, "files").await
    }

    /// A file by its id.
    pub async fn file(&self, id: &str) -> Result<T::Json, Error<T::Json>> {
        self.get("/v1/files/", &encode(id), "files").await
    }

    /// Part of the files, the newest first.
    pub async fn files(&self, request: &PageRequest) -> Result<T::Json, Error<T::Json>> {
        self.page("/v1/files", request, "files").await
    }
}
