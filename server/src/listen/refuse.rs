//! The answer to plain HTTP: a refusal, before anything but the head was read.

use std::io;

use filepress_wire::ErrorCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::MAX_HEAD;
use super::patient::Patient;
use crate::http::error::ApiError;
use crate::http::request_id::RequestId;

/// Answers and closes. The head is read so that the client, which may wait to have sent it, takes the answer; it is not
/// looked at: whatever it says was said in the open.
pub(super) async fn plain_http(mut stream: Patient) -> io::Result<()> {
    let mut head = Vec::with_capacity(MAX_HEAD);
    let mut ended = false;
    while head.len() < MAX_HEAD && !ended {
        let seen = head.len().saturating_sub(3);
        ended = stream.read_buf(&mut head).await? == 0
            || head[seen..].windows(4).any(|window| window == b"\r\n\r\n");
    }
    let code = ErrorCode::HttpsRequired;
    let id = RequestId::random();
    let body = ApiError::new(code, "This address speaks HTTPS alone.").body(&id);
    let media_type = filepress_wire::documents::MEDIA_TYPE;
    let answer = format!(
        "HTTP/1.1 {} Forbidden\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Request-Id: {id}\r\nConnection: close\r\n\r\n{body}",
        code.status(),
        body.len(),
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}
