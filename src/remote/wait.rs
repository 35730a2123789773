//! Polls a task until it finishes, at growing intervals.

use super::json::{at, text_at};
use super::percent_encode::percent_encode;
use super::redact::redact;
use super::response::PrimaryData;
use super::{Client, Clock, Error, Json, Method, Millis, Result, Transport};

/// The delay before the first poll; small tasks finish within it.
const FIRST_DELAY: Millis = 150.0;
/// The longest delay without `Retry-After`.
const MAX_DELAY: Millis = 5000.0;
/// The longest `Retry-After` that is honored, so that a bad response cannot stall a call for a day.
const MAX_RETRY_AFTER: Millis = 60_000.0;

impl<T: Transport, C: Clock> Client<T, C> {
    /// Waits until a task has finished. `notify` receives the progress, 0 to 1, after every poll. After `limit` the call fails, but
    /// the task goes on.
    ///
    /// # Errors
    /// [`Error::TASK_FAILED`], [`Error::WAIT_TIMEOUT`], and those of every call.
    pub async fn wait(
        &self,
        id: &str,
        limit: Option<Millis>,
        notify: &dyn Fn(f64),
    ) -> Result<T::Json, Error<T::Json>> {
        let started = self.clock.now();
        let url = self.base.join("/v1/tasks/") + &percent_encode(id);
        let left = || limit.map_or(f64::INFINITY, |limit| limit - (self.clock.now() - started));
        let mut delay = FIRST_DELAY;
        let mut max_delay = FIRST_DELAY * 2.0;
        loop {
            self.clock.sleep(delay.min(left())).await;
            let poll = self.request(Method::Get, &url, None, "", PrimaryData::Resource("tasks"));
            let Some(answer) = self.with_timeout(left(), poll).await else { return Err(late()) };
            let answer = answer?;
            let attribute = |name| at(&answer.document, &["data", "attributes", name]);
            let progress =
                attribute("processing_metadata").and_then(|metadata| metadata.get("progress")?.as_number());
            notify(progress.unwrap_or_default().clamp(0.0, 1.0));
            match attribute("status").and_then(|status| status.as_text()).as_deref() {
                Some("COMPLETED") => return Ok(answer.document),
                Some("FAILED") => return Err(failed(answer.document, &self.secret())),
                Some("PENDING" | "PROCESSING") if left() <= 0.0 => return Err(late()),
                Some("PENDING" | "PROCESSING") => {}
                _ => return Err(Error::new(Error::<T::Json>::BAD_ANSWER, "The task has an unknown status.")),
            }
            let half = max_delay / 2.0;
            // Even if the server allows it, polls are no more frequent than the first.
            delay = answer
                .retry_after
                .map_or(half + half * self.clock.random(), |time| time.clamp(FIRST_DELAY, MAX_RETRY_AFTER));
            max_delay = (max_delay * 1.5).min(MAX_DELAY);
        }
    }
}

fn late<J>() -> Error<J> {
    Error { retryable: true, ..Error::new(Error::<J>::WAIT_TIMEOUT, "The task did not finish in time.") }
}

fn failed<J: Json>(document: J, secret: &str) -> Error<J> {
    let error = at(&document, &["data", "attributes", "processing_metadata", "error"]);
    let text = |name: &str| {
        let text = error.as_ref().and_then(|error| text_at(error, &[name]));
        text.filter(|text| !text.is_empty())
    };
    let words = text("detail").or_else(|| text("title"));
    let message = match words {
        None => "The conversion failed.".to_owned(),
        Some(words) => ["The conversion failed: ", &redact(&words, secret)].concat(),
    };
    let reason = text("code");
    // Faults of the server may go away; faults of the file do not.
    let retryable = matches!(reason.as_deref(), Some("worker_lost" | "internal"));
    Error { reason, retryable, task: Some(document), ..Error::new(Error::<J>::TASK_FAILED, message) }
}
