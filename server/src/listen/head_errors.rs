//! Replaces hyper's own error responses with JSON:API documents. hyper answers a malformed request head itself, without a body, and
//! then closes the connection.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use filepress_wire::ErrorCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::raw_response;
use crate::metrics::Metrics;

/// Tracks whether written bytes belong to a response of the router: from the start of a request until its response is flushed.
#[derive(Debug, Clone, Default)]
pub(super) struct ResponseTracker {
    is_served: Arc<AtomicBool>,
    is_written: Arc<AtomicBool>,
}

impl ResponseTracker {
    pub(super) fn begin(&self) {
        self.is_served.store(true, Ordering::Relaxed);
        self.is_written.store(true, Ordering::Relaxed);
    }

    /// hyper has taken the whole response body; part of it may not be written yet.
    pub(super) fn end(&self) {
        self.is_served.store(false, Ordering::Relaxed);
    }

    fn flushed(&self) {
        if !self.is_served.load(Ordering::Relaxed) {
            self.is_written.store(false, Ordering::Relaxed);
        }
    }
}

/// A stream that replaces hyper's own error response with a document.
pub(super) struct HeadErrorStream<S> {
    stream: S,
    tracker: ResponseTracker,
    metrics: Metrics,
    /// The response, and how many of its bytes are written.
    refusal: Option<(Vec<u8>, usize)>,
}

impl<S: AsyncWrite + Unpin> HeadErrorStream<S> {
    pub(super) fn new(stream: S, tracker: ResponseTracker, metrics: Metrics) -> Self {
        Self { stream, tracker, metrics, refusal: None }
    }

    /// Replaces an error response of hyper; true if `bytes` belong to one.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        if self.refusal.is_some() {
            return true;
        }
        if self.tracker.is_written.load(Ordering::Relaxed) {
            return false;
        }
        let status = bytes.strip_prefix(b"HTTP/1.1 ").and_then(|rest| rest.get(..3));
        let (code, detail) = match status {
            Some(b"431" | b"414") => (
                ErrorCode::HeadTooLarge,
                "The request head is longer than 16 KiB, has more than 100 fields, or has a `Content-Length` over 64 bits.",
            ),
            Some(b"400" | b"505") => {
                (ErrorCode::MalformedRequest, "The request head is not valid HTTP/1.1 (RFC 9112).")
            }
            _ => return false,
        };
        self.metrics.rejected(code.as_str());
        self.refusal = Some((raw_response::error_response(code, detail), 0));
        true
    }

    fn poll_refusal(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some((error_response, written)) = &mut self.refusal
            && *written < error_response.len()
        {
            let count = ready!(Pin::new(&mut self.stream).poll_write(context, &error_response[*written..]))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            *written += count;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for HeadErrorStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeadErrorStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.replaces(slices.first().map_or(&[], |slice| slice)) {
            return Poll::Ready(Ok(slices.iter().map(|slice| slice.len()).sum()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_refusal(context))?;
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.tracker.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_refusal(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
