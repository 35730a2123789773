//! One attempt at a callback: what is sent, and what follows from the answer.

use std::time::Duration;

use axum::body::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode};
use tokio::time::Instant;

use crate::app::App;
use crate::callbacks::{CallError, CallbackUrl, Secret};
use crate::routes::tasks;
use crate::store::{CallbackClaim, CallbackEnd, MAX_CALLBACK_AGE, MAX_CALLBACK_ATTEMPTS, StoreError};

/// The longest pause between attempts.
const MAX_PAUSE: Duration = Duration::from_secs(6 * 3600);
/// How much longer each pause is than the one before.
const GROWTH: u32 = 3;

/// What an attempt came to, before it is recorded.
enum Outcome {
    /// The receiver answered with this status.
    Answered(StatusCode),
    /// There was no answer.
    NotAnswered(CallError),
    /// It was not called: the database failed, or this server is to blame otherwise.
    NotCalled(String),
    /// The task or its URL is gone.
    Gone,
}

/// Makes an attempt and records what came of it.
pub(super) async fn run(app: &App, claim: CallbackClaim) {
    let start = Instant::now();
    let outcome = call(app, &claim).await;
    let took = start.elapsed();
    let end = end(app, &claim, &outcome);
    let recorded = match app.store.end_callback(&claim, &end, app.clock.now()).await {
        Ok(true) => name(&end),
        Ok(false) => "fenced",
        // The lease ends, and it is called again: at least once, not at most.
        Err(error) => {
            tracing::error!(%error, callback = claim.id, "cannot record the outcome of a callback");
            "unrecorded"
        }
    };
    app.metrics.callback(recorded, took);
    let status = if let Outcome::Answered(status) = outcome { Some(status.as_u16()) } else { None };
    let (failure, milliseconds) = (failure(&end), took.as_millis());
    // Neither path nor query, which may have secrets in them.
    let host = CallbackUrl::parse(&claim.url, true).map(|url| url.host().to_owned()).unwrap_or_default();
    let (id, task, attempt) = (&claim.id, &claim.task, claim.attempt);
    tracing::info!(
        id,
        task,
        attempt,
        host,
        status,
        failure,
        milliseconds,
        outcome = recorded,
        "a callback was called"
    );
}

async fn call(app: &App, claim: &CallbackClaim) -> Outcome {
    let Ok(url) = CallbackUrl::parse(&claim.url, app.config.allow_private_callbacks) else {
        // Private networks were allowed when the task was created, and are not any more.
        return Outcome::NotAnswered(CallError::RefusedAddress);
    };
    let task = match app.store.task(&claim.user, &claim.task).await {
        Ok(Some(task)) => task,
        Ok(None) => return Outcome::Gone,
        Err(error) => return Outcome::NotCalled(error.to_string()),
    };
    let body = match tasks::answer(app, task).await {
        Ok(answer) => Bytes::from(answer.body),
        Err(error) => {
            return Outcome::NotCalled(error.cause().unwrap_or("no document of the task").to_owned());
        }
    };
    let headers = match headers(app, claim, &body).await {
        Ok(headers) => headers,
        Err(error) => return Outcome::NotCalled(error),
    };
    match app.caller.post(&url, headers, body).await {
        Ok(status) => Outcome::Answered(status),
        Err(error) => Outcome::NotAnswered(error),
    }
}

/// The headers of Standard Webhooks: the id, which is the same for each attempt, the time, and a signature by each secret that is valid.
async fn headers(app: &App, claim: &CallbackClaim, body: &[u8]) -> Result<HeaderMap, String> {
    let text = |error: StoreError| error.to_string();
    let fresh = Secret::generate().map_err(|error| error.to_string())?;
    let now = app.clock.now();
    let secrets = app.store.callback_secrets(&claim.user, &fresh.expose(), now).await.map_err(text)?;
    let seconds = now.seconds();
    let mut signatures = Vec::new();
    for secret in std::iter::once(&secrets.current).chain(&secrets.previous) {
        let secret = Secret::parse(secret).map_err(|error| error.to_string())?;
        signatures.push(secret.sign(&claim.id, seconds, body));
    }
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("webhook-id", claim.id.clone()),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", signatures.join(" ")),
    ] {
        headers.insert(name, HeaderValue::try_from(value).map_err(|error| error.to_string())?);
    }
    Ok(headers)
}

/// What follows from an outcome. Every success is a delivery; 410 asks for no more calls; all else is tried again.
fn end(app: &App, claim: &CallbackClaim, outcome: &Outcome) -> CallbackEnd {
    let failure = match outcome {
        Outcome::Answered(status) if status.is_success() => return CallbackEnd::Delivered,
        Outcome::Answered(StatusCode::GONE) => return CallbackEnd::Failed("status_410".to_owned()),
        Outcome::Answered(status) => format!("status_{}", status.as_u16()),
        Outcome::NotAnswered(error) => error.code().to_owned(),
        Outcome::Gone => return CallbackEnd::Failed("task_deleted".to_owned()),
        Outcome::NotCalled(reason) => {
            tracing::error!(reason, callback = claim.id, "a callback could not be called");
            "internal".to_owned()
        }
    };
    let now = app.clock.now();
    let next = now.after(pause(app.config.callback_pause, claim.attempt, random()));
    if claim.attempt >= MAX_CALLBACK_ATTEMPTS || next.since(claim.ended_at) > MAX_CALLBACK_AGE {
        return CallbackEnd::Failed(failure);
    }
    CallbackEnd::Retry(failure, next)
}

/// The pause after an attempt: it triples with each one, and half of it is random, so that calls that failed together are not made
/// together again. `random`: 0 to 1.
fn pause(first: Duration, attempt: u32, random: f64) -> Duration {
    let factor = GROWTH.saturating_pow(attempt.saturating_sub(1));
    let longest = first.saturating_mul(factor).min(MAX_PAUSE);
    longest.mul_f64(0.5 + random / 2.0)
}

fn random() -> f64 {
    let mut bytes = [0; 4];
    // Without random numbers pauses are still long enough.
    let _ = getrandom::fill(&mut bytes);
    f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX)
}

fn failure(end: &CallbackEnd) -> Option<&str> {
    match end {
        CallbackEnd::Retry(failure, _) | CallbackEnd::Failed(failure) => Some(failure),
        CallbackEnd::Delivered => None,
    }
}

/// The name of an outcome in metrics and in the log.
fn name(end: &CallbackEnd) -> &'static str {
    match end {
        CallbackEnd::Delivered => "delivered",
        CallbackEnd::Retry(..) => "retried",
        CallbackEnd::Failed(_) => "failed",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{MAX_CALLBACK_AGE, MAX_CALLBACK_ATTEMPTS, MAX_PAUSE, pause};

    #[test]
    fn pauses_grow_to_a_limit_and_differ() {
        let first = Duration::from_secs(10);
        let longest: Vec<u64> =
            (1..MAX_CALLBACK_ATTEMPTS).map(|attempt| pause(first, attempt, 1.0).as_secs()).collect();
        assert_eq!(longest, [10, 30, 90, 270, 810, 2430, 7290, 21600, 21600]);
        assert!(longest.iter().sum::<u64>() < MAX_CALLBACK_AGE.as_secs());
        assert_eq!(pause(first, 1, 0.0), Duration::from_secs(5));
        assert_eq!(pause(first, u32::MAX, 0.0), MAX_PAUSE / 2);
        assert_eq!(pause(Duration::MAX, 2, 1.0), MAX_PAUSE);
    }
}
