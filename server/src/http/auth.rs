//! Authenticates a request by the API key in `Authorization` (RFC 6750) and applies the rate limit of the key.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use filepress_wire::ErrorCode;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue};

use super::api_key::ApiKey;
use super::error::{ApiError, Result};
use super::rate_limit;
use crate::app::App;
use crate::store::records::User;

/// The user whose key was sent; an extension of each request that needs a key.
#[derive(Debug, Clone)]
pub struct AuthenticatedUser(pub Arc<User>);

/// The middleware of all paths that need a key.
pub async fn authenticate(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let (user, hash) = match identify(&app, request.headers()).await {
        Ok(found) => found,
        Err(error) => return error.into_response(),
    };
    let rate = match rate_limit::check(&app, &hash).await {
        Ok(rate) => rate,
        Err(error) => return error.into_response(),
    };
    let mut response = match rate.wait {
        Some(wait) => {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            let detail = "This key has reached its rate limit; try again after the time in Retry-After.";
            ApiError::new(ErrorCode::RateLimited, detail).retry_after(seconds).into_response()
        }
        None => {
            request.extensions_mut().insert(AuthenticatedUser(Arc::new(user)));
            next.run(request).await
        }
    };
    rate_limit::write_headers(response.headers_mut(), app.config.rate_limit, rate);
    response
}

async fn identify(app: &App, headers: &HeaderMap) -> Result<(User, [u8; 32])> {
    // A proxy and this server might pick different ones of several (RFC 9110, 5.3).
    if headers.get_all(AUTHORIZATION).iter().count() > 1 {
        let detail = "Send the Authorization header once.";
        return Err(ApiError::new(ErrorCode::InvalidHeader, detail).header_source("Authorization"));
    }
    let Some(credentials) = headers.get(AUTHORIZATION) else {
        return Err(unauthorized(
            "The Authorization header is missing; send \"Authorization: Bearer KEY\".",
            "Bearer realm=\"filepress\"",
        ));
    };
    let invalid = || {
        let challenge = "Bearer realm=\"filepress\", error=\"invalid_token\"";
        unauthorized("The key is unknown, malformed or revoked.", challenge)
    };
    let hash = bearer(credentials).ok_or_else(invalid)?.hash();
    let user = app.store.user_by_key(&hash).await?.ok_or_else(invalid)?;
    Ok((user, hash))
}

fn bearer(credentials: &HeaderValue) -> Option<ApiKey> {
    let (scheme, token) = credentials.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| ApiKey::parse(token.trim()))?
}

fn unauthorized(detail: &str, challenge: &'static str) -> ApiError {
    let challenge = HeaderValue::from_static(challenge);
    ApiError::new(ErrorCode::Unauthorized, detail).header(WWW_AUTHENTICATE, challenge)
}
