//! `Idempotency-Key`: a POST that is sent again within 24 h does not do its work again.
//!
//! The service stores the id of the created resource. A repeated request gets that resource in its current state, with fresh links.
//! A failed request is not stored, so the same request may succeed later.

use std::future::Future;
use std::sync::Arc;

use axum::response::Response;
use filepress_wire::ErrorCode;
use http::HeaderMap;
use sha2::{Digest, Sha256};

use super::auth::AuthenticatedUser;
use super::document::ApiResponse;
use super::error::{ApiError, Result};
use crate::app::App;
use crate::store::IdempotencyCheck;

const NAME: &str = "Idempotency-Key";
const MAX_LENGTH: usize = 255;

/// A request with its idempotency key.
pub struct IdempotentRequest {
    app: Arc<App>,
    user: String,
    key: Option<String>,
    request: [u8; 32],
}

impl IdempotentRequest {
    /// A POST on `path` with `body`, or with what else says what is to be created.
    ///
    /// # Errors
    /// 400 for a malformed key.
    pub fn new(
        app: &Arc<App>,
        caller: &AuthenticatedUser,
        headers: &HeaderMap,
        path: &str,
        body: &[u8],
    ) -> Result<Self> {
        let request =
            Sha256::new().chain_update("POST\n").chain_update(path).chain_update("\n").chain_update(body);
        Ok(Self {
            app: Arc::clone(app),
            user: caller.0.id.clone(),
            key: key(headers)?,
            request: request.finalize().into(),
        })
    }

    /// Runs `work`, or `again` if the request was completed before; `again` returns `None` if that resource was deleted. `work`
    /// receives the id of the resource to create, so that a retry after an interruption finds the resource instead of creating
    /// another. `work` runs to its end even if the client disconnects.
    ///
    /// # Errors
    /// 409 while the same request is in progress, 410 if the resource was deleted, 422 if the key was used for another request,
    /// and the errors of `work`.
    pub async fn run<F, A>(
        self,
        work: impl FnOnce(Option<String>) -> F + Send + 'static,
        again: impl FnOnce(String) -> A + Send + 'static,
    ) -> Result<Response>
    where
        F: Future<Output = Result<ApiResponse>> + Send,
        A: Future<Output = Result<Option<ApiResponse>>> + Send,
    {
        let answer = tokio::spawn(async move {
            let Some(key) = self.key else { return work(None).await };
            let store = &self.app.store;
            let made =
                match store.begin_idempotent(&self.user, &key, &self.request, self.app.clock.now()).await? {
                    IdempotencyCheck::First(made) => made,
                    IdempotencyCheck::Replay(id) => {
                        let gone =
                            "The resource that was created with this Idempotency-Key has been deleted.";
                        let gone = || ApiError::new(ErrorCode::FileExpired, gone).header_source(NAME);
                        return again(id).await?.ok_or_else(gone);
                    }
                    IdempotencyCheck::Mismatch => {
                        let detail = "This Idempotency-Key was used for a different request; use a new key.";
                        return Err(ApiError::new(ErrorCode::IdempotencyMismatch, detail).header_source(NAME));
                    }
                    IdempotencyCheck::InFlight => {
                        let detail = "A request with this Idempotency-Key is still in progress.";
                        return Err(ApiError::new(ErrorCode::IdempotencyInFlight, detail).retry_after(1));
                    }
                };
            let done = work(Some(made.clone())).await;
            let noted = match &done {
                Ok(answer) => {
                    store.complete_idempotent(&self.user, &key, &made, answer.status.as_u16()).await
                }
                Err(_) => store.abort_idempotent(&self.user, &key, &made).await,
            };
            if let Err(error) = noted {
                // The resource exists; an error would make the client create a second one.
                tracing::warn!(%error, "cannot record an idempotency key as completed");
            }
            done
        });
        answer.await.map_err(ApiError::internal)?.map(ApiResponse::into_response)
    }
}

/// Refuses an idempotency key where a response cannot be repeated.
///
/// # Errors
/// 400 if there is one; `detail` says why.
pub fn refuse(headers: &HeaderMap, detail: &str) -> Result<()> {
    match headers.contains_key(NAME) {
        true => Err(ApiError::new(ErrorCode::InvalidHeader, detail).header_source(NAME)),
        false => Ok(()),
    }
}

fn key(headers: &HeaderMap) -> Result<Option<String>> {
    let Some(value) = headers.get(NAME) else { return Ok(None) };
    let key = value.to_str().ok().filter(|key| (1..=MAX_LENGTH).contains(&key.len()));
    let refusal = || {
        let detail = format!("{NAME} must be 1 to {MAX_LENGTH} visible ASCII characters.");
        ApiError::new(ErrorCode::InvalidHeader, detail).header_source(NAME)
    };
    key.map(|key| Some(key.to_owned())).ok_or_else(refusal)
}
