//! A guard that marks a connection as busy until the response body has been sent.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::connection_limit::ActiveRequest;
use super::head_errors::ResponseTracker;

/// Marks a request as in progress until it is dropped.
pub(super) struct RequestGuard {
    tracker: ResponseTracker,
    _served: ActiveRequest,
}

impl RequestGuard {
    pub(super) fn new(tracker: ResponseTracker, served: ActiveRequest) -> Self {
        tracker.begin();
        Self { tracker, _served: served }
    }

    /// Attaches this guard to the response body; it is dropped with the body.
    pub(super) fn guard_body(self, response: Response) -> Response {
        response.map(|body| Body::new(GuardedBody { body, _guard: self }))
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.tracker.end();
    }
}

struct GuardedBody {
    body: Body,
    _guard: RequestGuard,
}

impl HttpBody for GuardedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
