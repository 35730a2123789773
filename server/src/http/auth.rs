//! Authenticates a request by the API key in `Authorization` (RFC 6750), and applies the rate limit, the end and the scopes of the key.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use filepress_wire::ErrorCode;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::api_key::ApiKey;
use super::error::{ApiError, Result};
use super::key_log::Call;
use super::key_scope::Need;
use super::rate_limit;
use crate::app::App;
use crate::clock::Timestamp;
use crate::store::records::{Key, User};

/// The user whose key was sent; an extension of each request that needs a key.
#[derive(Debug, Clone)]
pub struct AuthenticatedUser(pub Arc<User>);

/// The middleware of all paths that need a key.
pub async fn authenticate(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let (key, user, hash) = match identify(&app, request.headers()).await {
        Ok(found) => found,
        Err(error) => return error.into_response(),
    };
    let call = Call::of(&request);
    let rate = match rate_limit::check(&app, &hash).await {
        Ok(rate) => rate,
        Err(error) => return error.into_response(),
    };
    if let Err(error) = check_validity(&key, app.clock.now()) {
        // What a key that no longer counts is tried for is worth knowing, but not more often than a valid one may call.
        if rate.wait.is_none() {
            call.invalid(&app, &key, StatusCode::UNAUTHORIZED).await;
        }
        return error.into_response();
    }
    let mut response = match rate.wait {
        Some(wait) => {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            let detail = "This key has reached its rate limit; try again after the time in Retry-After.";
            ApiError::new(ErrorCode::RateLimited, detail).retry_after(seconds).into_response()
        }
        None => match check_scope(&key, &request) {
            Ok(()) => {
                request.extensions_mut().insert(AuthenticatedUser(Arc::new(user)));
                call.run(Arc::clone(&app), key, next, request).await
            }
            Err(error) => {
                call.refused(&app, &key, StatusCode::FORBIDDEN).await;
                error.into_response()
            }
        },
    };
    rate_limit::write_headers(response.headers_mut(), app.config.rate_limit, rate);
    response
}

/// Finds the key of a request, which may be revoked or have expired.
async fn identify(app: &App, headers: &HeaderMap) -> Result<(Key, User, [u8; 32])> {
    // A proxy and this server might pick different ones of several (RFC 9110, 5.3).
    if headers.get_all(AUTHORIZATION).iter().count() > 1 {
        let detail = "Send the Authorization header once.";
        return Err(ApiError::new(ErrorCode::InvalidHeader, detail).header_source("Authorization"));
    }
    let Some(credentials) = headers.get(AUTHORIZATION) else {
        let detail = "The Authorization header is missing; send \"Authorization: Bearer KEY\".";
        return Err(unauthorized(ErrorCode::Unauthorized, detail, "Bearer realm=\"filepress\""));
    };
    let hash = bearer(credentials).ok_or_else(unknown_key)?.hash();
    let (key, user) = app.store.key_by_hash(&hash).await?.ok_or_else(unknown_key)?;
    Ok((key, user, hash))
}

fn check_validity(key: &Key, now: Timestamp) -> Result<()> {
    if key.revoked_at.is_some() {
        return Err(unknown_key());
    }
    match key.rights.expires_at {
        Some(end) if end <= now => {
            let detail = format!("The key expired at {}.", end.to_seconds_text());
            Err(unauthorized(ErrorCode::KeyExpired, &detail, INVALID_TOKEN))
        }
        _ => Ok(()),
    }
}

/// Checks that a key may do what a request asks for (RFC 6750, 3.1).
fn check_scope(key: &Key, request: &Request) -> Result<()> {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let need = Need::of(request.method(), route);
    if need.is_met_by(&key.rights.scopes) {
        return Ok(());
    }
    let mut challenge = "Bearer realm=\"filepress\", error=\"insufficient_scope\"".to_owned();
    let detail = if let Need::Scope(scope) = need {
        let name = scope.as_str();
        challenge.push_str(&format!(", scope=\"{name}\""));
        format!("This request needs a key with the scope {name}.")
    } else {
        "This request needs a key without limits.".to_owned()
    };
    let error = ApiError::new(ErrorCode::MissingScope, &detail);
    Err(match HeaderValue::from_str(&challenge) {
        Ok(challenge) => error.header(WWW_AUTHENTICATE, challenge),
        Err(_) => error,
    })
}

fn bearer(credentials: &HeaderValue) -> Option<ApiKey> {
    let (scheme, token) = credentials.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| ApiKey::parse(token.trim()))?
}

const INVALID_TOKEN: &str = "Bearer realm=\"filepress\", error=\"invalid_token\"";

fn unknown_key() -> ApiError {
    unauthorized(ErrorCode::Unauthorized, "The key is unknown, malformed or revoked.", INVALID_TOKEN)
}

fn unauthorized(code: ErrorCode, detail: &str, challenge: &'static str) -> ApiError {
    ApiError::new(code, detail).header(WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
}
