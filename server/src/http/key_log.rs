//! Writes down which requests a key was used for: those that change something, and those that were refused because of the key. Reading
//! only moves the time of the last use.

use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::LOCATION;
use http::{HeaderMap, Method, StatusCode};

use super::error::ApiError;
use super::middleware::{known_method, loggable_path};
use super::peer::Peer;
use super::request_id::RequestId;
use crate::app::App;
use crate::store::records::{Key, KeyEvent, KeyEventKind, KeyRequest};

/// A request that has a key, before it is answered.
pub(super) struct Call {
    method: &'static str,
    changes: bool,
    path: String,
    address: Option<String>,
    request_id: String,
}

impl Call {
    pub(super) fn of(request: &Request) -> Self {
        let extensions = request.extensions();
        Self {
            method: known_method(request.method()),
            changes: ![Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method()),
            path: loggable_path(request.uri().path()).to_owned(),
            address: extensions.get::<Peer>().map(|peer| peer.client.to_string()),
            request_id: extensions.get::<RequestId>().map(ToString::to_string).unwrap_or_default(),
        }
    }

    /// Answers the request and notes that the key was used: also if the client leaves before the answer, which must not hide a change.
    pub(super) async fn run(self, app: Arc<App>, key: Key, next: Next, request: Request) -> Response {
        let changes = self.changes;
        let answer = async move {
            let response = next.run(request).await;
            self.used(&app, &key, response.status(), response.headers()).await;
            response
        };
        if !changes {
            return answer.await;
        }
        match tokio::spawn(answer).await {
            Ok(response) => response,
            // The layer that turns panics into responses is outside.
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(error) => ApiError::internal(error.to_string()).into_response(),
            },
        }
    }

    async fn used(self, app: &App, key: &Key, status: StatusCode, headers: &HeaderMap) {
        report(app.store.touch_key(key, app.clock.now()).await);
        if self.changes {
            let created =
                (status == StatusCode::CREATED).then(|| headers.get(LOCATION)?.to_str().ok()).flatten();
            let created = created.and_then(|url| url.strip_prefix(&app.public_url));
            // The URL of an upload is signed.
            let created = created.and_then(|url| url.split('?').next()).map(loggable_path).map(str::to_owned);
            let event = self.event(app, key, KeyEventKind::Used, status, created);
            report(app.store.log_key(&event).await);
        }
    }

    /// Notes that the request was refused because of the key.
    pub(super) async fn refused(self, app: &App, key: &Key, status: StatusCode) {
        let event = self.event(app, key, KeyEventKind::Refused, status, None);
        report(app.store.log_key(&event).await);
    }

    /// Notes that the request was refused because the key does not count any more, unless another was noted a short time ago.
    pub(super) async fn invalid(self, app: &App, key: &Key, status: StatusCode) {
        let event = self.event(app, key, KeyEventKind::Refused, status, None);
        report(app.store.log_refusal(&event).await);
    }

    fn event(
        self,
        app: &App,
        key: &Key,
        kind: KeyEventKind,
        status: StatusCode,
        created: Option<String>,
    ) -> KeyEvent {
        let request = KeyRequest {
            method: self.method.to_owned(),
            path: created.unwrap_or(self.path),
            status: status.as_u16(),
            address: self.address,
            request_id: self.request_id,
        };
        KeyEvent { key: key.id.clone(), at: app.clock.now(), kind, request: Some(request) }
    }
}

/// The request was answered already: a full disk must not turn that into an error.
fn report(written: Result<(), crate::store::StoreError>) {
    if let Err(error) = written {
        tracing::warn!(%error, "cannot write down the use of a key");
    }
}
