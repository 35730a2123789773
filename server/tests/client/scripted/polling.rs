//! How often the client polls a task, and when it gives up.

use std::cell::RefCell;

use filepress::remote::{Clock, Millis};

use super::documents::{failed_task, refusal, task, task_document};
use super::manual_clock::run;
use super::scripted_transport::{Scripted, Step, raw};
use crate::answer::Failure;
use crate::harness::Harness;

fn state(status: &str) -> Step {
    task_document(200, &task("task", status))
}

/// The milliseconds between the questions, the first of which is counted from the call.
fn waits(scripted: &Scripted) -> Vec<Millis> {
    let moments: Vec<Millis> = scripted.sent().iter().map(|sent| sent.at).collect();
    std::iter::once(&0.0).chain(&moments).zip(&moments).map(|(before, after)| after - before).collect()
}

#[test]
fn questions_become_rarer_and_stay_within_seconds() {
    for chance in [0.0, 0.5, 1.0] {
        let mut steps: Vec<Step> = (0..30).map(|_| state("PROCESSING")).collect();
        steps.push(state("COMPLETED"));
        let scripted = Scripted::new(steps);
        scripted.clock().set_chance(chance);
        run(scripted.clock(), scripted.client().wait("task", None, &|_| {})).unwrap();
        let waits = waits(&scripted);
        assert_eq!(waits.len(), 31);
        assert!(waits.is_sorted(), "{waits:?}");
        assert!(
            waits[0] <= 500.0 && waits[1] > 0.0 && waits[30] >= 2000.0 && waits[30] <= 10_000.0,
            "{waits:?}"
        );
    }
}

#[test]
fn the_service_says_when_to_ask_again() {
    let with = |header: &str| state("PENDING").with("retry-after", header);
    let scripted = Scripted::new(vec![with("3"), with("Thu, 01 Jan 2026 10:00:20 GMT"), state("COMPLETED")]);
    run(scripted.clock(), scripted.client().wait("task", None, &|_| {})).unwrap();
    let sent = scripted.sent();
    assert_eq!(sent[1].at - sent[0].at, 3000.0);
    assert_eq!(sent[2].at, 20_000.0);
}

#[test]
fn a_service_that_wants_to_be_asked_at_once_is_not_flooded() {
    let steps = (0..100).map(|_| state("PROCESSING").with("retry-after", "0"));
    let scripted = Scripted::new(steps.chain([state("COMPLETED")]).collect());
    run(scripted.clock(), scripted.client().wait("task", None, &|_| {})).unwrap();
    assert!(scripted.sent()[100].at > 5000.0, "100 questions in {:?}", scripted.sent()[100].at);
}

#[test]
fn each_state_is_told() {
    let mut half = task("task", "PROCESSING");
    half["attributes"]["processing_metadata"] = serde_json::json!({ "progress": 0.5 });
    let mut odd = half.clone();
    odd["attributes"]["processing_metadata"]["progress"] = serde_json::json!(7);
    let scripted = Scripted::new(vec![
        state("PENDING"),
        task_document(200, &half),
        task_document(200, &odd),
        state("COMPLETED"),
    ]);
    let told = RefCell::new(Vec::new());
    let tell = |share| told.borrow_mut().push(share);
    run(scripted.clock(), scripted.client().wait("task", None, &tell)).unwrap();
    assert_eq!(*told.borrow(), [0.0, 0.5, 1.0, 0.0]);
}

#[test]
fn what_is_wrong_for_a_moment_does_not_end_the_waiting() {
    let scripted = Scripted::new(vec![
        state("PENDING"),
        raw(502, ""),
        Step::Fault("reset"),
        refusal(429, "rate_limited", None).with("retry-after", "2"),
        state("PROCESSING"),
        Step::Silence,
        state("COMPLETED"),
    ]);
    run(scripted.clock(), scripted.client().wait("task", None, &|_| {})).unwrap();
    assert_eq!(scripted.left(), 0);
}

#[test]
fn a_failure_has_its_reason_and_the_task() {
    for (reason, retryable) in
        [("corrupt_file", false), ("a_new_one", false), ("worker_lost", true), ("internal", true)]
    {
        let scripted = Scripted::new(vec![task_document(200, &failed_task("task", reason))]);
        let error = run(scripted.clock(), scripted.client().wait("task", None, &|_| {})).unwrap_err();
        assert_eq!((error.code.as_ref(), error.reason.as_deref()), (Failure::TASK_FAILED, Some(reason)));
        assert!(error.message.contains("It breaks off."), "{}", error.message);
        assert_eq!((error.retryable, &error.task.unwrap().0["data"]["id"]), (retryable, &"task".into()));
    }
}

/// The time that is given is used: the last question is asked when it is over.
#[test]
fn the_waiting_ends_with_the_time_that_it_was_given_and_not_before() {
    for limit in [50.0, 1000.0, 10_000.0] {
        let scripted = Scripted::new((0..50).map(|_| state("PROCESSING").with("retry-after", "3")).collect());
        let error = run(scripted.clock(), async {
            let error = scripted.client().wait("task", Some(limit), &|_| {}).await.unwrap_err();
            assert_eq!(scripted.clock().now(), limit);
            error
        });
        assert_eq!((error.code.as_ref(), error.retryable), (Failure::WAIT_TIMEOUT, true));
        assert!(!scripted.sent().is_empty(), "{limit:?}: it was not even asked");
    }
}

#[test]
fn the_time_that_was_given_holds_for_a_service_that_says_nothing() {
    for step in [Step::Silence, raw(503, "").with("retry-after", "100")] {
        let limit = 5000.0;
        let scripted = Scripted::new(vec![state("PENDING"), step, state("COMPLETED")]);
        let error = run(scripted.clock(), async {
            let error = scripted.client().wait("task", Some(limit), &|_| {}).await.map(|_| ()).unwrap_err();
            assert!(scripted.clock().now() <= limit);
            error
        });
        assert_eq!(error.code, Failure::WAIT_TIMEOUT);
    }
}

#[test]
fn a_task_that_ends_just_in_time_has_ended() {
    let scripted = Scripted::new(vec![state("PENDING").with("retry-after", "2"), state("COMPLETED")]);
    let limit = Some(1500.0);
    run(scripted.clock(), scripted.client().wait("task", limit, &|_| {})).unwrap();
}

#[test]
fn a_state_that_nobody_knows_does_not_keep_the_caller_waiting() {
    for status in ["DONE", "completed", ""] {
        let scripted = Scripted::new(vec![state("PENDING"), state(status)]);
        let error = run(scripted.clock(), scripted.client().wait("task", None, &|_| {})).unwrap_err();
        assert_eq!(error.code, Failure::BAD_ANSWER);
    }
}
