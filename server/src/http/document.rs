//! Responses that carry a JSON:API document.

use axum::body::Body;
use axum::response::Response;
use filepress_wire::documents::{Document, JsonApi, MEDIA_TYPE, SelfLink};
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;

use super::error::{ApiError, Result};

/// The media type of a ZIP archive. An output may be one; an input may not.
pub const ZIP_MEDIA_TYPE: &str = "application/zip";

/// A response before it is sent.
#[derive(Debug, Clone)]
pub struct ApiResponse {
    /// Its status.
    pub status: StatusCode,
    /// The URL of the created resource.
    pub location: Option<String>,
    /// Further headers.
    pub headers: HeaderMap,
    /// The document.
    pub body: String,
}

impl ApiResponse {
    /// 201 with the document of the created resource.
    ///
    /// # Errors
    /// 500 if the document cannot be serialized.
    pub fn created<D: Serialize, L: Serialize>(location: String, document: &Document<D, L>) -> Result<Self> {
        Ok(Self {
            status: StatusCode::CREATED,
            location: Some(location),
            headers: HeaderMap::new(),
            body: json(document)?,
        })
    }

    /// 200.
    ///
    /// # Errors
    /// 500 if the document cannot be serialized.
    pub fn ok<D: Serialize, L: Serialize>(document: &Document<D, L>) -> Result<Self> {
        Ok(Self { status: StatusCode::OK, location: None, headers: HeaderMap::new(), body: json(document)? })
    }

    /// Converts to the response of axum.
    pub fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        if let Some(location) = self.location.and_then(|location| HeaderValue::from_str(&location).ok()) {
            response.headers_mut().insert(LOCATION, location);
        }
        response
    }
}

fn json(document: &impl Serialize) -> Result<String> {
    serde_json::to_string(document).map_err(ApiError::internal)
}

/// A document with one resource, whose URL is `url`.
pub fn single<D>(data: D, url: String) -> Document<D> {
    Document { jsonapi: JsonApi::default(), data, links: Some(link(url)), meta: None, included: None }
}

/// `links.self`.
pub fn link(url: String) -> SelfLink {
    SelfLink { this: Some(url) }
}
