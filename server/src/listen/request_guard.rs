//! One request and its response: the connection serves them until the last byte of the body is handed over.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::connection_limit::Served;
use super::head_errors::Handed;

/// A request that is served; dropped, it is over.
pub(super) struct Exchange {
    handed: Handed,
    _served: Served,
}

impl Exchange {
    pub(super) fn begin(handed: Handed, served: Served) -> Self {
        handed.begin();
        Self { handed, _served: served }
    }

    /// Ends with the body of the response.
    pub(super) fn answered(self, response: Response) -> Response {
        response.map(|body| Body::new(Answer { body, _exchange: self }))
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.handed.end();
    }
}

struct Answer {
    body: Body,
    _exchange: Exchange,
}

impl HttpBody for Answer {
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
