//! Pages of collections (JSON:API's cursor pagination profile).

use super::call::ApiRequest;
use super::percent_encode::percent_encode;
use super::response::PrimaryData;
use super::{Call, Client, Clock, Error, Result, Transport};

/// The page to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// A `next` or `prev` link; if set, the other members are ignored.
    pub link: Option<String>,
    /// The most items on the page, 1 to 100.
    pub size: Option<u64>,
    /// Items after this cursor.
    pub after: Option<String>,
    /// Items before this cursor.
    pub before: Option<String>,
}

impl<T: Transport, C: Clock> Client<T, C> {
    pub(super) fn page(&self, path: &str, request: &PageRequest, kind: &'static str) -> Call<'_, T, C> {
        let url = match &request.link {
            Some(link) => self.same_origin(link),
            None => Ok(self.base.join(path) + &query(request)),
        };
        self.call(url.map(|url| ApiRequest::get(url, PrimaryData::Collection(kind))))
    }

    /// Validates a link that the key is sent to.
    fn same_origin(&self, link: &str) -> Result<String, Error<T::Json>> {
        match self.base.resolve(link) {
            Ok(url) if url.is_same_origin(&self.base) => Ok(url.as_str().to_owned()),
            _ => Err(Error::new(Error::<T::Json>::FOREIGN_LINK, "The server sent a link to another origin.")),
        }
    }
}

fn query(request: &PageRequest) -> String {
    let size = request.size.map(|size| size.to_string());
    let mut query = String::new();
    for (name, value) in [("size", &size), ("after", &request.after), ("before", &request.before)] {
        let Some(value) = value else { continue };
        query += if query.is_empty() { "?page%5B" } else { "&page%5B" };
        query += name;
        query += "%5D=";
        query += &percent_encode(value);
    }
    query
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_percent_encoded() {
        let request = PageRequest {
            size: Some(5),
            after: Some("2026-01-01T00:00:00.5+00:00".to_owned()),
            ..PageRequest::default()
        };
        assert_eq!(query(&request), "?page%5Bsize%5D=5&page%5Bafter%5D=2026-01-01T00%3A00%3A00.5%2B00%3A00");
        assert_eq!(query(&PageRequest::default()), "");
    }
}
