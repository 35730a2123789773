//! Content negotiation (JSON:API 1.1, "Content Negotiation"): one media type, with no parameters but `ext` and `profile`.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use filepress_wire::ErrorCode;
use filepress_wire::documents::MEDIA_TYPE;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};

use super::error::{ApiError, Result};

/// The middleware of all paths that respond with documents.
pub async fn accept(request: Request, next: Next) -> Response {
    if accepts(request.headers()) {
        return next.run(request).await;
    }
    let detail = format!("Accept must allow {MEDIA_TYPE} without parameters other than profile.");
    ApiError::new(ErrorCode::NotAcceptable, detail).header_source("Accept").into_response()
}

/// Checks that the request body is a JSON:API document.
///
/// # Errors
/// 415.
pub fn content_type(headers: &HeaderMap) -> Result<()> {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let range = value.and_then(MediaRange::parse);
    if range.is_some_and(|range| range.is_ours() && range.is_understood()) {
        return Ok(());
    }
    let detail = format!("Content-Type must be {MEDIA_TYPE}, without parameters other than profile.");
    Err(ApiError::new(ErrorCode::UnsupportedMediaType, detail).header_source("Content-Type"))
}

fn accepts(headers: &HeaderMap) -> bool {
    let values: Vec<&HeaderValue> = headers.get_all(ACCEPT).iter().collect();
    if values.is_empty() {
        return true;
    }
    let texts = values.iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<MediaRange<'_>> =
        texts.flat_map(|text| split(text, b',')).filter_map(MediaRange::parse).collect();
    // A range for the media type itself takes precedence over wildcards (RFC 9110, section 12.5.1).
    let mut ours = ranges.iter().filter(|range| range.is_ours()).peekable();
    if ours.peek().is_some() {
        return ours.any(|range| range.is_understood() && !range.is_refused());
    }
    let partial = ranges.iter().find(|range| range.is("application/*"));
    let any = || ranges.iter().find(|range| range.is("*/*"));
    partial.or_else(any).is_some_and(|range| !range.is_refused())
}

/// `type/subtype;name=value…`.
struct MediaRange<'a> {
    essence: &'a str,
    parameters: Vec<(&'a str, &'a str)>,
}

impl<'a> MediaRange<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let mut parts = split(text, b';').map(str::trim);
        let essence = parts.next().filter(|essence| essence.contains('/'))?;
        let parameters = parts.filter(|part| !part.is_empty()).map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (name.trim(), value.trim().trim_matches('"'))
        });
        Some(Self { essence, parameters: parameters.collect() })
    }

    fn is(&self, essence: &str) -> bool {
        self.essence.eq_ignore_ascii_case(essence)
    }

    fn is_ours(&self) -> bool {
        self.is(MEDIA_TYPE)
    }

    /// Whether all parameters are supported: profiles may be ignored, and no extension is supported.
    fn is_understood(&self) -> bool {
        self.parameters.iter().all(|(name, value)| {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            is("q") || is("profile") || (is("ext") && value.trim().is_empty())
        })
    }

    /// A weight of zero: "not acceptable".
    fn is_refused(&self) -> bool {
        let weight = self.parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case("q"));
        weight.is_some_and(|(_, value)| value.parse::<f32>().is_ok_and(|weight| weight <= 0.0))
    }
}

/// Splits at separators outside of quoted strings.
fn split(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |character: char| {
        let is_end = !quoted && character == char::from(separator);
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        is_end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: http::HeaderName, values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    #[test]
    fn accept_headers_are_negotiated() {
        for (values, expected) in [
            (&[][..], true),
            (&["*/*"], true),
            (&["application/*"], true),
            (&["application/vnd.api+json"], true),
            (&["Application/Vnd.API+json"], true),
            (&["text/html", "application/vnd.api+json"], true),
            (&["text/html, application/vnd.api+json;q=0.5"], true),
            (&["application/vnd.api+json; profile=\"https://example.org/a,b;c\""], true),
            (&["application/vnd.api+json;charset=utf-8, application/vnd.api+json"], true),
            (&["application/vnd.api+json;charset=utf-8"], false),
            (&["application/vnd.api+json;charset=utf-8, */*"], false),
            (&["application/vnd.api+json;ext=\"https://example.org/atomic\""], false),
            (&["application/vnd.api+json;q=0"], false),
            (&["application/vnd.api+json;q=0, */*"], false),
            (&["application/json"], false),
            (&["text/html"], false),
            (&["*/*;q=0"], false),
            (&["application/*;q=0, */*"], false),
            (&[""], false),
        ] {
            assert_eq!(accepts(&headers(ACCEPT, values)), expected, "{values:?}");
        }
    }

    #[test]
    fn content_types_are_checked() {
        for (values, expected) in [
            (&["application/vnd.api+json"][..], true),
            (&["application/vnd.api+json; profile=\"https://example.org/a\""], true),
            (&["application/vnd.api+json; charset=utf-8"], false),
            (&["application/vnd.api+json; ext=\"https://example.org/a\""], false),
            (&["application/json"], false),
            (&["*/*"], false),
            (&[], false),
        ] {
            assert_eq!(content_type(&headers(CONTENT_TYPE, values)).is_ok(), expected, "{values:?}");
        }
    }
}
