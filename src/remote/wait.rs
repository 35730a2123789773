//! Waiting for a task: asking again, less often the longer it takes.

use super::json::{at, text_at};
use super::list::encode;
use super::redact::redact;
use super::request::Data;
use super::{Client, Clock, Error, Json, Method, Millis, Result, Transport};

/// Before the first question: what is small is done by then.
const FIRST: Millis = 150.0;
/// The longest that is waited where the service does not say.
const LONGEST: Millis = 5000.0;
/// The longest that a service is believed, lest one bad answer hold a call for a day.
const MOST: Millis = 60_000.0;

impl<T: Transport, C: Clock> Client<T, C> {
    /// Waits until a task has ended. `notify` hears how much is done, 0 to 1, at every answer. After `limit` the call ends; the
    /// task does not.
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
        let url = self.base.at("/v1/tasks/") + &encode(id);
        let left = || limit.map_or(f64::INFINITY, |limit| limit - (self.clock.now() - started));
        let mut delay = FIRST;
        let mut most = FIRST * 2.0;
        loop {
            self.clock.sleep(delay.min(left())).await;
            let asked = self.exchange(Method::Get, &url, None, "", Data::One("tasks"));
            let Some(answer) = self.until(left(), asked).await else { return Err(late()) };
            let answer = answer?;
            let told = |name| at(&answer.document, &["data", "attributes", name]);
            let progress =
                told("processing_metadata").and_then(|metadata| metadata.get("progress")?.as_number());
            notify(progress.unwrap_or_default().clamp(0.0, 1.0));
            match told("status").and_then(|status| status.as_text()).as_deref() {
                Some("COMPLETED") => return Ok(answer.document),
                Some("FAILED") => return Err(failed(answer.document, &self.secret())),
                Some("PENDING" | "PROCESSING") if left() <= 0.0 => return Err(late()),
                Some("PENDING" | "PROCESSING") => {}
                _ => return Err(Error::new(Error::<T::Json>::BAD_ANSWER, "The task is in no known state.")),
            }
            let half = most / 2.0;
            // A service that wants to be asked at once is asked no more often than it is at first.
            delay =
                answer.retry_after.map_or(half + half * self.clock.random(), |told| told.clamp(FIRST, MOST));
            most = (most * 1.5).min(LONGEST);
        }
    }
}

fn late<J>() -> Error<J> {
    Error { retryable: true, ..Error::new(Error::<J>::WAIT_TIMEOUT, "The task has not ended in time.") }
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
    // Of the service's own faults; those of the file stay what they are.
    let retryable = matches!(reason.as_deref(), Some("worker_lost" | "internal"));
    Error { reason, retryable, task: Some(document), ..Error::new(Error::<J>::TASK_FAILED, message) }
}
