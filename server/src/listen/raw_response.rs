//! Error responses that are written without hyper.

use std::io;

use filepress_wire::ErrorCode;
use http::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::MAX_HEAD;
use super::timeout_stream::TimeoutStream;
use crate::http::error::ApiError;
use crate::http::request_id::RequestId;

/// Sends an error and closes the connection. The request head is read first, because a client may read the response only after it has
/// sent its request; the head is not parsed.
pub(super) async fn reject_plain_http(mut stream: TimeoutStream) -> io::Result<()> {
    let mut head = Vec::with_capacity(MAX_HEAD);
    let mut ended = false;
    while head.len() < MAX_HEAD && !ended {
        let seen = head.len().saturating_sub(3);
        ended = stream.read_buf(&mut head).await? == 0
            || head[seen..].windows(4).any(|window| window == b"\r\n\r\n");
    }
    let error_response = error_response(ErrorCode::HttpsRequired, "This address accepts only HTTPS.");
    stream.write_all(&error_response).await?;
    stream.shutdown().await
}

/// The bytes of an error response that closes the connection.
pub(super) fn error_response(code: ErrorCode, detail: &str) -> Vec<u8> {
    let id = RequestId::random();
    let body = ApiError::new(code, detail).body(&id);
    let media_type = filepress_wire::documents::MEDIA_TYPE;
    let status = StatusCode::from_u16(code.status()).unwrap_or(StatusCode::BAD_REQUEST);
    let error_response = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nX-Request-Id: {id}\r\nConnection: close\r\n\r\n{body}",
        body.len(),
    );
    error_response.into_bytes()
}
