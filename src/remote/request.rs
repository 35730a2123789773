//! An API request with its retries: credentials, headers, timeout, and the check of the response.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

use filepress_wire::documents::MEDIA_TYPE;

use super::response::{ApiResponse, AttemptError, PrimaryData, ResponseHead};
use super::{
    Body, Client, Clock, Credentials, Error, Json, Method, Millis, Request, Response, Result, Transport,
    TransportError,
};

/// The attempts of a call so far.
pub(super) struct Attempts {
    started: Millis,
    failed: u32,
    token_renewed: bool,
    extra_used: bool,
}

impl Attempts {
    /// Grants one attempt in addition to the retry policy's reasons: true the first time only.
    pub(super) fn grant_extra(&mut self) -> bool {
        !std::mem::replace(&mut self.extra_used, true)
    }
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// Sends a request with credentials, and retries it; `url` has the origin of the server.
    pub(super) async fn request(
        &self,
        method: Method,
        url: &str,
        document: Option<&T::Json>,
        key: &str,
        expected: PrimaryData<'_>,
    ) -> Result<ApiResponse<T::Json>, Error<T::Json>> {
        let mut attempts = self.attempts();
        loop {
            match self.attempt(method, url, document, key, expected).await {
                Ok(response) => return Ok(response),
                // An earlier attempt deleted it, and the response was lost.
                Err(failure)
                    if expected == PrimaryData::None
                        && attempts.failed > 0
                        && failure.error.status == Some(404) =>
                {
                    return Ok(ApiResponse { document: T::Json::object(&[]), retry_after: None });
                }
                Err(failure) => self.pause(&mut attempts, failure).await?,
            }
        }
    }

    pub(super) fn attempts(&self) -> Attempts {
        Attempts { started: self.clock.now(), failed: 0, token_renewed: false, extra_used: false }
    }

    /// Waits until the next attempt; returns the error if there is none.
    pub(super) async fn pause(
        &self,
        attempts: &mut Attempts,
        failure: AttemptError<T::Json>,
    ) -> Result<(), Error<T::Json>> {
        if failure.token_refused && !attempts.token_renewed {
            attempts.token_renewed = true;
            return Ok(());
        }
        attempts.failed += 1;
        let elapsed = self.clock.now() - attempts.started;
        let delay =
            self.settings.retry.delay(attempts.failed, elapsed, failure.retry_after, self.clock.random());
        match delay.filter(|_| failure.retry) {
            Some(delay) => {
                self.clock.sleep(delay).await;
                Ok(())
            }
            None => Err(failure.error),
        }
    }

    async fn attempt(
        &self,
        method: Method,
        url: &str,
        document: Option<&T::Json>,
        key: &str,
        expected: PrimaryData<'_>,
    ) -> Result<ApiResponse<T::Json>, AttemptError<T::Json>> {
        let timeout = self.settings.timeout;
        let credentials = self.in_time(timeout, self.transport.credentials()).await.map_err(|cause| {
            let late = || TransportError::Token("it did not settle in time".to_owned());
            AttemptError::no_response(Some(cause.unwrap_or_else(late)), "")
        })?;
        let is_renewable = matches!(credentials, Credentials::Token(_));
        let token = match credentials {
            Credentials::None => String::new(),
            Credentials::Key(token) | Credentials::Token(token) => token,
        };
        self.secret.set(token.clone());
        let mut headers = vec![("accept", MEDIA_TYPE.to_owned())];
        if !token.is_empty() {
            headers.push(("authorization", "Bearer ".to_owned() + &token));
        }
        let mut body = Body::None;
        if let Some(document) = document {
            headers.push(("content-type", MEDIA_TYPE.to_owned()));
            if !key.is_empty() {
                headers.push(("idempotency-key", key.to_owned()));
            }
            body = Body::Json(document);
        }
        let request = Request { method, url, headers: &headers, body, follow_redirects: false };
        let exchange = async {
            let response = self.transport.send(request).await?;
            let head = self.head(&response);
            Ok((head, response.document().await?))
        };
        let (head, document) = self
            .in_time(timeout, exchange)
            .await
            .map_err(|cause| AttemptError::no_response(cause, &token))?;
        let token_refused = head.status == 401 && is_renewable;
        head.check(document, expected, &token).map_err(|failure| AttemptError { token_refused, ..failure })
    }

    /// The key or token that was sent last.
    pub(super) fn secret(&self) -> String {
        let secret = self.secret.take();
        self.secret.set(secret.clone());
        secret
    }

    fn head(&self, response: &T::Response) -> ResponseHead {
        // Seconds or a date (RFC 9110, section 10.2.3).
        let retry_after = response.header("retry-after").and_then(|text| match text.parse::<u64>() {
            Ok(seconds) => Some(seconds as f64 * 1000.0),
            Err(_) => self.clock.time_until(&text),
        });
        let request_id = response.header("x-request-id").filter(|id| id.len() <= 200);
        ResponseHead { status: response.status(), retry_after, request_id }
    }

    /// The output of `work`; `Err(None)` if it takes longer than `timeout`.
    pub(super) async fn in_time<V>(
        &self,
        timeout: Millis,
        work: impl Future<Output = Result<V, TransportError>>,
    ) -> Result<V, Option<TransportError>> {
        self.with_timeout(timeout, work).await.ok_or(None)?.map_err(Some)
    }

    /// The output of `work`; `None` if it takes longer than `timeout`.
    pub(super) async fn with_timeout<V>(&self, timeout: Millis, work: impl Future<Output = V>) -> Option<V> {
        let (mut work, mut timer) = (pin!(work), pin!(self.clock.sleep(timeout)));
        std::future::poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending => timer.as_mut().poll(context).map(|()| None),
        })
        .await
    }

    /// Makes one attempt of a request to a signed URL, without credentials. Returns a response with a 2xx status.
    pub(super) async fn send_signed(
        &self,
        timeout: Millis,
        request: Request<'_, T::Json, T::Bytes>,
    ) -> Result<T::Response, AttemptError<T::Json>> {
        let response = self.in_time(timeout, self.transport.send(request)).await;
        let response = response.map_err(|cause| AttemptError::no_response(cause, &self.secret()))?;
        if (200..300).contains(&response.status()) {
            return Ok(response);
        }
        let head = self.head(&response);
        let document = self.in_time(self.settings.timeout, response.document()).await.ok().flatten();
        Err(head.error(document, &self.secret()))
    }
}
