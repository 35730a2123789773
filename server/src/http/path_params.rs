//! Path parameters. A malformed one, such as invalid UTF-8, gets 404 like an unknown id.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;
use serde::de::DeserializeOwned;

use super::error::{ApiError, Result};

/// The path parameters, as in [`Path`].
#[derive(Debug, Clone)]
pub struct PathParams<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let found = Path::<T>::from_request_parts(parts, state).await;
        found.map(|Path(found)| Self(found)).map_err(|_| ApiError::not_found())
    }
}
