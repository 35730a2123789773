//! The headers of tus 1.0.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use filepress_wire::{ErrorCode, MediaType};
use http::header::HeaderName;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use time::OffsetDateTime;
use time::macros::format_description;

use super::checksum::ALGORITHMS;
use crate::app::App;
use crate::http::error::{ApiError, Result};
use crate::store::records::File;

const VERSION: &str = "1.0.0";
const EXTENSIONS: &str = "creation,expiration,termination,checksum";

const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
const TUS_EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
const TUS_CHECKSUM_ALGORITHM: HeaderName = HeaderName::from_static("tus-checksum-algorithm");
const TUS_MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");

/// The middleware of all paths of uploads: each response says the version, and one to OPTIONS what is supported.
pub async fn announce(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let is_options = request.method() == Method::OPTIONS;
    let mut response = next.run(request).await;
    let refused = response.status() == StatusCode::PRECONDITION_FAILED;
    let headers = response.headers_mut();
    headers.insert(TUS_RESUMABLE, HeaderValue::from_static(VERSION));
    if is_options || refused {
        headers.insert(TUS_VERSION, HeaderValue::from_static(VERSION));
    }
    if is_options {
        headers.insert(TUS_EXTENSION, HeaderValue::from_static(EXTENSIONS));
        headers.insert(TUS_CHECKSUM_ALGORITHM, ALGORITHMS);
        headers.insert(TUS_MAX_SIZE, HeaderValue::from(app.config.max_file_size));
    }
    response
}

/// Checks `Tus-Resumable`.
pub(super) fn check_version(headers: &HeaderMap) -> Result<()> {
    match headers.get(TUS_RESUMABLE) {
        Some(version) if version == VERSION => Ok(()),
        _ => {
            let detail = "Send the header Tus-Resumable: 1.0.0.";
            Err(ApiError::new(ErrorCode::UnsupportedTusVersion, detail).header_source("Tus-Resumable"))
        }
    }
}

/// `Upload-Offset` of a request.
pub(super) fn offset(headers: &HeaderMap) -> Result<u64> {
    number(headers, &UPLOAD_OFFSET).ok_or_else(|| {
        let detail = "The header Upload-Offset is missing or not a number.";
        ApiError::new(ErrorCode::InvalidHeader, detail).header_source("Upload-Offset")
    })
}

/// `Upload-Length` of a request, which must be at least 1 and at most `max`.
pub(super) fn length(headers: &HeaderMap, max: u64) -> Result<u64> {
    match number(headers, &UPLOAD_LENGTH) {
        Some(length) if length > max => {
            let detail = format!("A file may have at most {max} bytes.");
            Err(ApiError::new(ErrorCode::UploadOverMaximum, detail).header_source("Upload-Length"))
        }
        Some(length) if length > 0 => Ok(length),
        _ => {
            let detail = "The header Upload-Length must be a number of bytes, at least 1.";
            Err(ApiError::new(ErrorCode::InvalidHeader, detail).header_source("Upload-Length"))
        }
    }
}

/// The media type in `Upload-Metadata`, under the names that clients use. What the service does not know is as good as none.
pub(super) fn media_type(headers: &HeaderMap) -> Option<MediaType> {
    let pairs = headers.get(UPLOAD_METADATA)?.to_str().ok()?.split(',');
    let mut pairs = pairs.filter_map(|pair| pair.trim().split_once(' '));
    pairs.find_map(|(name, value)| {
        if !["filetype", "type", "contentType"].contains(&name) {
            return None;
        }
        MediaType::from_mime(&String::from_utf8(STANDARD.decode(value).ok()?).ok()?)
    })
}

/// The headers that say how far an upload is.
pub(super) fn progress(file: &File, offset: u64) -> Result<HeaderMap> {
    let mut headers = expires(file)?;
    headers.insert(UPLOAD_OFFSET, HeaderValue::from(offset));
    headers.insert(UPLOAD_LENGTH, HeaderValue::from(file.size));
    Ok(headers)
}

/// When an upload is deleted, in the form of an HTTP date (RFC 9110, section 5.6.7).
pub(super) fn expires(file: &File) -> Result<HeaderMap> {
    const FORMAT: &[time::format_description::BorrowedFormatItem<'_>] = format_description!(
        "[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT"
    );
    let at = OffsetDateTime::from_unix_timestamp(file.expires_at.seconds()).map_err(ApiError::internal)?;
    let text = at.format(FORMAT).map_err(ApiError::internal)?;
    let value = HeaderValue::try_from(text).map_err(ApiError::internal)?;
    Ok(HeaderMap::from_iter([(UPLOAD_EXPIRES, value)]))
}

fn number(headers: &HeaderMap, name: &HeaderName) -> Option<u64> {
    let text = headers.get(name)?.to_str().ok()?;
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use filepress_wire::MediaType;
    use http::{HeaderMap, HeaderValue};

    use super::{length, media_type, offset};

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_str(value).unwrap());
        headers
    }

    #[test]
    fn the_media_type_is_read_from_the_metadata() {
        for (metadata, expected) in [
            ("filetype aW1hZ2UvcG5n", Some(MediaType::Png)),
            ("filename YS5wbmc=,filetype aW1hZ2UvcG5n,empty", Some(MediaType::Png)),
            ("type dmlkZW8vbXA0", Some(MediaType::Mp4)),
            ("filetype dGV4dC9wbGFpbg==", None),
            ("filetype !", None),
            ("filetype", None),
            ("", None),
        ] {
            assert_eq!(media_type(&headers("upload-metadata", metadata)), expected, "{metadata}");
        }
        assert_eq!(media_type(&HeaderMap::new()), None);
    }

    #[test]
    fn numbers_are_digits() {
        for (text, expected) in [("0", Some(0)), ("17", Some(17)), ("99999999999999999999", Some(u64::MAX))] {
            assert_eq!(offset(&headers("upload-offset", text)).ok(), expected);
        }
        for text in ["", "-1", "+1", "1.5", "0x1", "1 "] {
            assert!(offset(&headers("upload-offset", text)).is_err(), "{text}");
        }
        for (text, expected) in [("0", None), ("1", Some(1)), ("10", Some(10)), ("11", None)] {
            assert_eq!(length(&headers("upload-length", text), 10).ok(), expected);
        }
    }
}
