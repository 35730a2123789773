//! Lists over all users, newest first. They go only forward: `links.next` continues after the last item.

use axum::extract::FromRequestParts;
use axum::response::Response;
use filepress_wire::documents::{Document, JsonApi, ListMeta};
use http::request::Parts;
use serde_json::{Value, json};

use crate::clock::Timestamp;
use crate::http::document::ApiResponse;
use crate::http::error::{ApiError, Result};
use crate::http::pagination::{self, AFTER, invalid};
use crate::http::query;
use crate::store::ListCursor;
use crate::store::records::Status;

const STATUS: &str = "filter[status]";

/// `page[size]`, `page[after]` and, of tasks, `filter[status]`.
#[derive(Debug, Clone, Default)]
pub(super) struct ListQuery {
    size: Option<u32>,
    pub(super) after: Option<ListCursor>,
    pub(super) status: Option<Status>,
}

impl ListQuery {
    fn parse(query: &str) -> Result<Self> {
        let mut read = Self::default();
        for (name, value) in query::parameters(query)? {
            let twice = match name.as_str() {
                pagination::SIZE => read.size.replace(pagination::page_size(&value)?).is_some(),
                AFTER => read.after.replace(cursor(&value)?).is_some(),
                STATUS => read.status.replace(status(&value)?).is_some(),
                _ => return Err(query::unknown(&name)),
            };
            if twice {
                return Err(invalid(&name, format!("{name} is given twice.")));
            }
        }
        Ok(read)
    }

    /// Items of a page.
    fn size(&self) -> usize {
        self.size.unwrap_or(pagination::DEFAULT_SIZE) as usize
    }

    /// How many items to ask for: one more shows that there are more.
    pub(super) fn limit(&self) -> u32 {
        self.size() as u32 + 1
    }

    /// The page of a list at `path`, of as many items as [`Self::limit`] allows, each with its position.
    pub(super) fn answer(&self, path: &str, mut items: Vec<(Value, ListCursor)>) -> Result<Response> {
        let more = items.len() > self.size();
        items.truncate(self.size());
        let next = items.last().filter(|_| more).map(|(_, last)| {
            let status = self.status.map(|status| format!("&filter%5Bstatus%5D={}", status.as_str()));
            let (size, status) = (self.size(), status.unwrap_or_default());
            format!("{path}?page%5Bsize%5D={size}&page%5Bafter%5D={}.{}{status}", last.created_at.0, last.id)
        });
        let document = Document {
            jsonapi: JsonApi::default(),
            data: items.into_iter().map(|(item, _)| item).collect::<Vec<_>>(),
            links: Some(json!({ "next": next })),
            meta: Some(ListMeta { range_truncated: more }),
            included: None,
        };
        Ok(ApiResponse::ok(&document)?.into_response())
    }
}

impl<S: Sync> FromRequestParts<S> for ListQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

fn cursor(value: &str) -> Result<ListCursor> {
    let parts = value.split_once('.').and_then(|(time, id)| Some((time.parse().ok()?, id)));
    match parts {
        Some((time, id)) => Ok(ListCursor { created_at: Timestamp(time), id: id.to_owned() }),
        None => Err(invalid(AFTER, format!("{AFTER} is not a valid cursor; use the URL of links.next."))),
    }
}

fn status(value: &str) -> Result<Status> {
    let names = Status::ALL.map(Status::as_str).join(", ");
    let wrong = || invalid(STATUS, format!("{STATUS} must be one of {names}."));
    Status::ALL.into_iter().find(|status| status.as_str() == value).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_parameters_are_rejected() {
        for query in [
            "page[size]=0",
            "page[size]=101",
            "page[after]=1",
            "page[after]=x.y",
            "page[before]=1.a",
            "filter[status]=DONE",
            "filter[status]=FAILED&filter[status]=FAILED",
            "filter[user]=a",
        ] {
            assert!(ListQuery::parse(query).is_err(), "{query}");
        }
        let read = ListQuery::parse("page[size]=2&page[after]=-5.a.b&filter[status]=FAILED").unwrap();
        assert_eq!((read.limit(), read.status), (3, Some(Status::Failed)));
        assert_eq!(read.after, Some(ListCursor { created_at: Timestamp(-5), id: "a.b".to_owned() }));
    }
}
