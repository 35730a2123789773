//! `/v1/users/me`: the owner of the API key.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use super::resources;
use crate::app::App;
use crate::http::auth::AuthenticatedUser;
use crate::http::document::{ApiResponse, single};
use crate::http::error::Result;
use crate::http::query::NoQuery;

/// `GET /v1/users/me`
pub async fn me(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    _: NoQuery,
) -> Result<Response> {
    let document = single(resources::user(&app, &caller.0), format!("{}/v1/users/me", app.public_url));
    Ok(ApiResponse::ok(&document)?.into_response())
}
