//! Page parameters of a list, and links to the neighboring pages (JSON:API profile "Cursor Pagination").

use axum::extract::FromRequestParts;
use filepress_wire::ErrorCode;
use filepress_wire::documents::PageLinks;
use http::request::Parts;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::error::{ApiError, Result};
use super::query;
use crate::clock::Timestamp;
use crate::store::{Page, PageRequest, PageStart};

/// Items of a page, if the request does not say how many.
pub const DEFAULT_SIZE: u32 = 20;
const MAX_SIZE: u32 = 100;

/// The parameter of the size of a page.
pub const SIZE: &str = "page[size]";
/// The parameter of the item before a page.
pub const AFTER: &str = "page[after]";
const BEFORE: &str = "page[before]";

/// `page[size]`, and `page[after]` or `page[before]`.
#[derive(Debug, Clone, Copy)]
pub struct PageQuery {
    size: Option<u32>,
    from: PageStart,
}

impl PageQuery {
    fn parse(query: &str) -> Result<Self> {
        let (mut size, mut after, mut before) = (None, None, None);
        for (name, value) in query::parameters(query)? {
            let twice = match name.as_str() {
                SIZE => size.replace(page_size(&value)?).is_some(),
                AFTER => after.replace(cursor(AFTER, &value)?).is_some(),
                BEFORE => before.replace(cursor(BEFORE, &value)?).is_some(),
                _ => return Err(query::unknown(&name)),
            };
            if twice {
                return Err(invalid(&name, format!("{name} is given twice.")));
            }
        }
        let from = match (after, before) {
            (None, None) => PageStart::Start,
            (Some(cursor), None) => PageStart::After(cursor),
            (None, Some(cursor)) => PageStart::Before(cursor),
            (Some(_), Some(_)) => {
                return Err(invalid(BEFORE, format!("{AFTER} and {BEFORE} cannot be combined.")));
            }
        };
        Ok(Self { size, from })
    }

    /// The request to the store.
    pub fn page(&self) -> PageRequest {
        PageRequest { size: self.size.unwrap_or(DEFAULT_SIZE), from: self.from }
    }

    /// Links from a page to its neighbors. `cursor` returns the cursor of an item, `url` is that of the list.
    pub fn links<T>(&self, url: &str, slice: &Page<T>, cursor: impl Fn(&T) -> Timestamp) -> PageLinks {
        // The neighbors of an empty page start at the requested cursor; the item at the cursor itself belongs to one of them.
        let (newest, oldest) = match (slice.items.first(), slice.items.last(), self.from) {
            (Some(first), Some(last), _) => (cursor(first), cursor(last)),
            (_, _, PageStart::After(sought)) => (Timestamp(sought.0.saturating_sub(1)), sought),
            (_, _, PageStart::Before(sought)) => (sought, Timestamp(sought.0.saturating_add(1))),
            (_, _, PageStart::Start) => return PageLinks::default(),
        };
        let link = |name, cursor| self.link(url, name, cursor);
        PageLinks {
            prev: slice.has_newer.then(|| link(BEFORE, newest)),
            next: slice.has_older.then(|| link(AFTER, oldest)),
        }
    }

    fn link(&self, url: &str, name: &str, cursor: Timestamp) -> String {
        let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let size = self.size.map(|size| format!("{}={size}&", encode(SIZE))).unwrap_or_default();
        format!("{url}?{size}{}={}", encode(name), encode(&cursor.to_nanos_text()))
    }
}

impl<S: Sync> FromRequestParts<S> for PageQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

/// Reads the size of a page.
///
/// # Errors
/// 400 unless it is a number from 1 to the maximum.
pub fn page_size(value: &str) -> Result<u32> {
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    // A number too large for u32 is above the maximum, not malformed.
    let size = digits.then(|| value.parse::<u32>().unwrap_or(u32::MAX)).filter(|size| *size >= 1);
    match size {
        Some(size) if size <= MAX_SIZE => Ok(size),
        Some(_) => {
            let meta = Map::from_iter([("page".to_owned(), json!({ "maxSize": MAX_SIZE }))]);
            Err(invalid(SIZE, format!("{SIZE} must be at most {MAX_SIZE}.")).meta(meta))
        }
        None => Err(invalid(SIZE, format!("{SIZE} must be a number from 1 to {MAX_SIZE}."))),
    }
}

fn cursor(name: &str, value: &str) -> Result<Timestamp> {
    let moment = OffsetDateTime::parse(value, &Rfc3339).ok();
    let nanoseconds = moment.and_then(|moment| i64::try_from(moment.unix_timestamp_nanos()).ok());
    let refusal =
        || invalid(name, format!("{name} is not a valid cursor; use the URLs of links.next and links.prev."));
    nanoseconds.map(Timestamp).ok_or_else(refusal)
}

/// 400 for a parameter of a list.
pub fn invalid(name: &str, detail: String) -> ApiError {
    ApiError::new(ErrorCode::InvalidParameter, detail).parameter(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_page_parameters_are_rejected() {
        for query in [
            "page[size]=0",
            "page[size]=101",
            "page[size]=-1",
            "page[size]=1e1",
            "page[size]=",
            "page[size]=99999999999999999999",
            "page[size]=1&page[size]=1",
            "page[after]=yesterday",
            "page[after]=9999-12-31T23:59:59Z",
            "page[after]=2026-01-01T00:00:00Z&page[before]=2026-01-01T00:00:00Z",
            "page%5Bnumber%5D=1",
            "page=1",
            "sort=size",
            "page[size]=%FF",
        ] {
            assert!(PageQuery::parse(query).is_err(), "{query}");
        }
    }

    #[test]
    fn links_point_to_both_neighbors_and_keep_the_size() {
        let wanted =
            PageQuery::parse("page%5Bsize%5D=2&page%5Bafter%5D=2026-01-02T03%3A04%3A05.000000006Z").unwrap();
        let PageRequest { size: 2, from: PageStart::After(Timestamp(sought)) } = wanted.page() else {
            panic!("{wanted:?}")
        };
        assert_eq!(sought % 1_000_000_000, 6);
        let slice =
            Page { items: vec![Timestamp(2_000_000_000), Timestamp(1)], has_newer: true, has_older: true };
        let links = wanted.links("https://a.example/v1/files", &slice, |item| *item);
        assert_eq!(
            links.next.as_deref(),
            Some(
                "https://a.example/v1/files?page%5Bsize%5D=2&page%5Bafter%5D=1970%2D01%2D01T00%3A00%3A00%2E000000001Z"
            )
        );
        assert!(links.prev.unwrap().ends_with("page%5Bbefore%5D=1970%2D01%2D01T00%3A00%3A02%2E000000000Z"));
        let ends = Page { has_newer: false, has_older: false, ..slice };
        assert_eq!(wanted.links("", &ends, |item| *item), PageLinks::default());
    }
}
