//! Health checks and metrics for operators.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::CONTENT_TYPE;

use crate::app::App;
use crate::http::error::ApiError;

/// `GET /healthz`: the process is alive.
pub async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the service can accept work; else 503 with the error code of the reason.
pub async fn readyz(State(app): State<Arc<App>>) -> Response {
    match app.is_ready().await {
        Ok(()) => "ready\n".into_response(),
        Err(reason) => {
            let code = ApiError::from(reason).code();
            (StatusCode::SERVICE_UNAVAILABLE, format!("{}\n", code.as_str())).into_response()
        }
    }
}

/// `GET /metrics`: OpenMetrics text.
pub async fn metrics(State(app): State<Arc<App>>) -> Response {
    match app.metrics.text(&app.store, app.clock.now()).await {
        Ok(text) => {
            let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(CONTENT_TYPE, content_type)], text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "cannot collect the metrics");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
