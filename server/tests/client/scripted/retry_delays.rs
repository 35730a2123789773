//! The delay before each retry, to the millisecond, and the number of retries.

use filepress::remote::{Millis, RetryPolicy, Settings};

use super::documents::{file_document, refusal, user_document};
use super::manual_clock::run;
use super::scripted_transport::{BASE, Scripted, Step, raw};
use crate::answer::Failure;
use crate::harness::Harness;

fn refusals(count: usize) -> Vec<Step> {
    (0..count).map(|_| refusal(503, "queue_full", None)).collect()
}

fn with(retry: RetryPolicy) -> Settings {
    Settings { retry, ..Settings::default() }
}

#[test]
fn delays_double_with_full_jitter() {
    for (chance, delays) in [
        (1.0, [500.0, 1000.0, 2000.0, 4000.0, 8000.0]),
        (0.5, [250.0, 500.0, 1000.0, 2000.0, 4000.0]),
        (0.0, [0.0; 5]),
    ] {
        let scripted = Scripted::new(refusals(6));
        scripted.clock().set_chance(chance);
        let error = run(scripted.clock(), scripted.client().me()).unwrap_err();
        assert_eq!(error.code, "queue_full");
        let at: Vec<Millis> = scripted.sent().iter().map(|sent| sent.at).collect();
        let waited: Vec<Millis> = at.windows(2).map(|two| two[1] - two[0]).collect();
        assert_eq!(waited, delays, "{chance}");
    }
}

#[test]
fn a_delay_has_an_upper_bound() {
    let policy = RetryPolicy { attempts: 4, min_delay: 3_000.0, max_delay: 5_000.0, deadline: 60_000.0 };
    let scripted = Scripted::new(refusals(5));
    scripted.clock().set_chance(1.0);
    run(scripted.clock(), scripted.client_with(BASE, with(policy)).me()).unwrap_err();
    assert_eq!(scripted.clock().slept(), [3000.0, 5000.0, 5000.0, 5000.0]);
}

#[test]
fn the_service_is_believed_in_seconds_and_in_dates() {
    for (header, waited) in [
        ("7", 7000.0),
        ("0", 0.0),
        ("Thu, 01 Jan 2026 10:00:09 GMT", 9000.0),
        ("Thu, 01 Jan 2026 09:00:00 GMT", 0.0),
    ] {
        let scripted = Scripted::new(vec![
            refusal(429, "rate_limited", None).with("retry-after", header),
            user_document(),
        ]);
        scripted.clock().set_chance(1.0);
        run(scripted.clock(), scripted.client().me()).unwrap();
        let sent = scripted.sent();
        assert_eq!(sent[1].at - sent[0].at, waited, "{header}");
    }
}

#[test]
fn a_header_that_says_nothing_is_as_none() {
    for header in ["", "soon", "-5", "1.5", "1e3", "NaN", "tomorrow, 10:00", "99999999999999999999"] {
        let step = refusal(429, "rate_limited", None).with("retry-after", header);
        let scripted = Scripted::new(vec![step, user_document()]);
        scripted.clock().set_chance(1.0);
        run(scripted.clock(), scripted.client().me()).unwrap();
        assert_eq!(scripted.clock().slept(), [500.0], "{header:?}");
    }
}

#[test]
fn no_attempt_begins_after_the_deadline() {
    for (header, attempts) in [("119", 2), ("121", 1), ("4294967295", 1)] {
        let steps =
            (0..attempts).map(|_| refusal(503, "shutting_down", None).with("retry-after", header)).collect();
        let scripted = Scripted::new(steps);
        let error = run(scripted.clock(), scripted.client().me()).unwrap_err();
        assert_eq!((error.code.as_ref(), error.status), ("shutting_down", Some(503)));
        assert_eq!((scripted.sent().len(), scripted.left()), (attempts, 0), "{header}");
    }
    // Silence takes a minute each time.
    let scripted = Scripted::new(vec![Step::Silence, Step::Silence, Step::Silence]);
    let error = run(scripted.clock(), scripted.client().me()).unwrap_err();
    assert_eq!(error.code, Failure::TIMEOUT);
    assert!(scripted.sent().iter().all(|sent| sent.at <= 120_000.0));
}

#[test]
fn one_attempt_alone_where_no_more_are_wanted() {
    let scripted = Scripted::new(refusals(1));
    run(scripted.clock(), scripted.once().me()).unwrap_err();
    assert_eq!((scripted.sent().len(), scripted.clock().slept().len()), (1, 0));
}

#[test]
fn the_attempts_of_a_call_have_one_key() {
    let steps = vec![
        raw(500, ""),
        Step::Fault("reset"),
        Step::Silence,
        refusal(429, "rate_limited", None),
        file_document(201, "file", &["upload"]),
    ];
    let scripted = Scripted::new(steps);
    run(scripted.clock(), scripted.client().create_file(5.0, None, "the-key-of-this-call")).unwrap();
    let sent = scripted.sent();
    assert_eq!(sent.len(), 5);
    for request in &sent {
        assert_eq!(request.header("idempotency-key"), Some("the-key-of-this-call"));
        assert_eq!((&request.content, &request.url), (&sent[0].content, &sent[0].url));
    }
}
