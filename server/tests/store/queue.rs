//! Each task is executed once, even if workers are lost.

use std::time::Duration;

use crate::fixture::{Fixture, HOUR, LEASE, START, finished, object};
use filepress_server::store::records::{Lane, Status};
use filepress_server::store::{EnqueueResult, MAX_ATTEMPTS, MAX_RESTARTS};
use serde_json::{Map, json};

const SECOND: Duration = Duration::from_secs(1);

async fn a_task_goes_from_pending_to_processing_to_completed(fixture: Fixture) {
    let task = fixture.queue(START).await;
    assert_eq!((task.status, task.attempt, task.started_at), (Status::Pending, 0, None));
    assert!(task.metadata.is_empty());

    let claim = fixture.claim(START.after(SECOND)).await.unwrap();
    assert_eq!((claim.task.id.as_str(), claim.input.id.as_str()), (task.id.as_str(), task.input.as_str()));
    let seen = fixture.task(&task.id).await;
    assert_eq!(
        (seen.status, seen.attempt, seen.started_at),
        (Status::Processing, 1, Some(START.after(SECOND)))
    );
    assert_eq!(seen.metadata, object(json!({ "attempt": 1, "progress": 0.0 })));

    let end = START.after(2 * SECOND);
    let output = fixture.store.complete(&claim, finished(end), end).await.unwrap().unwrap();
    let seen = fixture.task(&task.id).await;
    assert_eq!((seen.status, seen.output.as_ref()), (Status::Completed, Some(&output.id)));
    assert_eq!((seen.processed_at, seen.updated_at), (Some(end), end));
    assert_eq!(output.format, Some(seen.output_format));
    assert_eq!(output.uploaded_at, Some(end));
    assert_eq!(fixture.store.file(&fixture.user, &output.id, end).await.unwrap(), Some(output));
    assert!(fixture.claim(end.after(48 * HOUR)).await.is_none());
}

async fn the_oldest_task_is_claimed_first_and_lanes_are_independent(fixture: Fixture) {
    let input = fixture.file(START).await;
    let mut ids = Vec::new();
    // All at one moment: the order is that of their coming.
    for lane in [Lane::Image, Lane::Heavy, Lane::Image, Lane::Heavy, Lane::Image] {
        match fixture.store.add_task(fixture.new_task(&input, lane), 1000, 1000, START).await.unwrap() {
            EnqueueResult::Task(task) => ids.push(task.id),
            other => panic!("{other:?}"),
        }
    }
    for (lane, indices) in [(Lane::Image, [0, 2, 4].as_slice()), (Lane::Heavy, &[1, 3])] {
        for index in indices {
            let claim =
                fixture.store.claim(lane, "worker", false, LEASE, None, START).await.unwrap().unwrap();
            assert_eq!(claim.task.id, ids[*index]);
        }
        assert!(fixture.store.claim(lane, "worker", false, LEASE, None, START).await.unwrap().is_none());
    }
}

async fn a_claim_with_an_expired_lease_is_fenced_off(fixture: Fixture) {
    let task = fixture.queue(START).await;
    let stopped = fixture.claim(START).await.unwrap();
    assert!(fixture.claim(START.after(LEASE - SECOND)).await.is_none());

    let later = START.after(LEASE);
    let newest = fixture.claim(later).await.unwrap();
    assert_eq!((newest.task.id.as_str(), newest.task.attempt), (task.id.as_str(), 2));

    let before = fixture.task(&task.id).await;
    let store = &fixture.store;
    assert!(!store.heartbeat(&stopped, &Map::new(), LEASE, later).await.unwrap());
    assert!(store.complete(&stopped, finished(later), later).await.unwrap().is_none());
    assert!(!store.fail(&stopped, Map::new(), later).await.unwrap());
    assert!(store.retry(&stopped, Map::new(), later, later).await.unwrap().is_none());
    assert!(!store.release(&stopped, later).await.unwrap());
    assert_eq!(fixture.task(&task.id).await, before);

    assert!(store.complete(&newest, finished(later), later).await.unwrap().is_some());
    assert!(store.complete(&newest, finished(later), later).await.unwrap().is_none());
}

async fn nothing_is_written_after_the_lease_expires(fixture: Fixture) {
    let task = fixture.queue(START).await;
    let claim = fixture.claim(START).await.unwrap();
    let later = START.after(LEASE);
    assert!(!fixture.store.heartbeat(&claim, &Map::new(), LEASE, later).await.unwrap());
    assert!(fixture.store.complete(&claim, finished(later), later).await.unwrap().is_none());
    assert_eq!(fixture.task(&task.id).await.status, Status::Processing);
}

async fn a_heartbeat_renews_the_lease_and_stores_progress(fixture: Fixture) {
    let task = fixture.queue(START).await;
    let claim = fixture.claim(START).await.unwrap();
    let beat = START.after(LEASE - SECOND);
    let shown = object(json!({ "attempt": 1, "progress": 0.5 }));
    assert!(fixture.store.heartbeat(&claim, &shown, LEASE, beat).await.unwrap());
    assert_eq!(fixture.task(&task.id).await.metadata, shown);
    let end = beat.after(LEASE - SECOND);
    assert!(fixture.claim(end).await.is_none());
    assert!(fixture.store.complete(&claim, finished(end), end).await.unwrap().is_some());
}

async fn infrastructure_failures_are_retried_three_times_with_a_delay(fixture: Fixture) {
    let task = fixture.queue(START).await;
    let mut now = START;
    for attempt in 1..=MAX_ATTEMPTS {
        let claim = fixture.claim(now).await.unwrap();
        assert_eq!(claim.task.attempt, attempt);
        let pause = now.after(10 * SECOND);
        let status = fixture.store.retry(&claim, claim.task.metadata.clone(), pause, now).await.unwrap();
        if attempt < MAX_ATTEMPTS {
            assert_eq!(status, Some(Status::Processing));
            assert!(fixture.claim(now.after(9 * SECOND)).await.is_none());
        } else {
            assert_eq!(status, Some(Status::Failed));
        }
        now = pause;
    }
    assert!(fixture.claim(now.after(HOUR)).await.is_none());
    let failed = fixture.task(&task.id).await;
    assert_eq!(failed.status, Status::Failed);
    assert_eq!(failed.metadata["error"]["code"], "internal");
    assert_eq!(failed.metadata["attempt"], 3);
}

async fn a_task_that_is_lost_three_times_fails(fixture: Fixture) {
    let task = fixture.queue(START).await;
    let mut now = START;
    for attempt in 1..=MAX_ATTEMPTS {
        assert_eq!(fixture.claim(now).await.unwrap().task.attempt, attempt);
        now = now.after(LEASE);
    }
    // Another that waits behind it is reached by the same call.
    let next = fixture.queue(START.after(SECOND)).await;
    assert_eq!(fixture.claim(now).await.unwrap().task.id, next.id);
    let failed = fixture.task(&task.id).await;
    assert_eq!((failed.status, failed.processed_at), (Status::Failed, Some(now)));
    assert_eq!(failed.metadata["error"]["code"], "worker_lost");
}

async fn a_released_task_returns_to_the_queue(fixture: Fixture) {
    let task = fixture.queue(START).await;
    for attempt in 1..=2 * MAX_ATTEMPTS {
        let claim = fixture.claim(START).await.unwrap();
        assert_eq!((claim.task.id.as_str(), claim.task.attempt), (task.id.as_str(), attempt));
        assert!(fixture.store.release(&claim, START).await.unwrap());
        assert!(!fixture.store.heartbeat(&claim, &Map::new(), LEASE, START).await.unwrap());
    }
    // Never backwards, as its owner sees it.
    assert_eq!(fixture.task(&task.id).await.status, Status::Processing);
}

#[tokio::test]
async fn restarts_return_claims_up_to_a_limit() {
    let fixture = Fixture::sqlite().await;
    let task = fixture.queue(START).await;
    for _ in 0..MAX_RESTARTS {
        let dead = fixture.claim(START).await.unwrap();
        assert!(fixture.claim(START).await.is_none());
        assert_eq!(fixture.store.recover(START).await.unwrap(), 1);
        assert!(fixture.store.complete(&dead, finished(START), START).await.unwrap().is_none());
    }
    fixture.claim(START).await.unwrap();
    fixture.store.recover(START).await.unwrap();
    assert!(fixture.claim(START).await.is_none());
    let failed = fixture.task(&task.id).await;
    assert_eq!(failed.status, Status::Failed);
    assert_eq!(failed.metadata["error"]["code"], "worker_lost");
}

async fn a_task_whose_input_expired_fails_when_its_turn_comes(fixture: Fixture) {
    let task = fixture.queue(START).await;
    let now = START.after(48 * HOUR);
    assert!(fixture.claim(now).await.is_none());
    let failed = fixture.task(&task.id).await;
    assert_eq!((failed.status, failed.started_at), (Status::Failed, None));
    assert_eq!(failed.metadata["error"]["code"], "input_gone");
}

async fn a_failure_is_stored_with_its_error(fixture: Fixture) {
    let task = fixture.queue(START).await;
    let claim = fixture.claim(START).await.unwrap();
    let metadata = object(json!({ "attempt": 1, "error": { "code": "corrupt_file" } }));
    assert!(fixture.store.fail(&claim, metadata.clone(), START).await.unwrap());
    let failed = fixture.task(&task.id).await;
    assert_eq!((failed.status, failed.metadata, failed.output), (Status::Failed, metadata, None));
    assert!(fixture.claim(START.after(HOUR)).await.is_none());
}

async fn queue_limits_hold_under_concurrency(fixture: Fixture) {
    let input = fixture.file(START).await;
    let add = |max_per_user, max_queue| {
        let (store, task) = (fixture.store.clone(), fixture.new_task(&input, Lane::Image));
        tokio::spawn(async move { store.add_task(task, max_per_user, max_queue, START).await.unwrap() })
    };
    for (max_per_user, max_queue, taken, refusal) in
        [(7, 1000, 7, EnqueueResult::UserFull), (1000, 12, 5, EnqueueResult::QueueFull)]
    {
        let calls: Vec<_> = (0..30).map(|_| add(max_per_user, max_queue)).collect();
        let mut queued = 0;
        for call in calls {
            match call.await.unwrap() {
                EnqueueResult::Task(_) => queued += 1,
                other => assert_eq!(other, refusal),
            }
        }
        assert_eq!(queued, taken);
    }
    let depth = fixture.store.depth(Lane::Image).await.unwrap();
    assert_eq!((depth.pending, depth.processing, depth.oldest), (12, 0, Some(START)));
    assert_eq!(fixture.store.depth(Lane::Heavy).await.unwrap().oldest, None);
}

async fn concurrent_workers_never_share_a_task(fixture: Fixture) {
    for _ in 0..40 {
        fixture.queue(START).await;
    }
    let workers: Vec<_> = (0..8)
        .map(|index| {
            let store = fixture.store.clone();
            tokio::spawn(async move {
                let mut done = Vec::new();
                let worker = format!("worker {index}");
                while let Some(claim) =
                    store.claim(Lane::Image, &worker, false, LEASE, None, START).await.unwrap()
                {
                    assert!(store.complete(&claim, finished(START), START).await.unwrap().is_some());
                    done.push((claim.task.id, claim.task.attempt));
                }
                done
            })
        })
        .collect();
    let mut done = Vec::new();
    for worker in workers {
        done.extend(worker.await.unwrap());
    }
    assert!(done.iter().all(|(_, attempt)| *attempt == 1));
    done.sort();
    done.dedup();
    assert_eq!(done.len(), 40);
}

async fn a_task_requires_an_uploaded_input_of_the_same_user(fixture: Fixture) {
    let store = &fixture.store;
    let input = fixture.file(START).await;
    let empty = store.add_file(fixture.new_file(START.after(HOUR)), START).await.unwrap();
    let mut stranger = fixture.new_task(&input, Lane::Image);
    stranger.user = store.user_for_email("two@example.org", "", START).await.unwrap().id;
    let mut unknown = fixture.new_task(&input, Lane::Image);
    unknown.input = "unknown".to_owned();
    for task in [fixture.new_task(&empty, Lane::Image), stranger, unknown] {
        assert_eq!(store.add_task(task, 10, 10, START).await.unwrap(), EnqueueResult::NoInput);
    }
    let late = START.after(48 * HOUR);
    let task = fixture.new_task(&input, Lane::Image);
    assert_eq!(store.add_task(task, 10, 10, late).await.unwrap(), EnqueueResult::NoInput);
}

on_both!(
    a_task_goes_from_pending_to_processing_to_completed,
    the_oldest_task_is_claimed_first_and_lanes_are_independent,
    a_claim_with_an_expired_lease_is_fenced_off,
    nothing_is_written_after_the_lease_expires,
    a_heartbeat_renews_the_lease_and_stores_progress,
    infrastructure_failures_are_retried_three_times_with_a_delay,
    a_task_that_is_lost_three_times_fails,
    a_released_task_returns_to_the_queue,
    a_task_whose_input_expired_fails_when_its_turn_comes,
    a_failure_is_stored_with_its_error,
    queue_limits_hold_under_concurrency,
    concurrent_workers_never_share_a_task,
    a_task_requires_an_uploaded_input_of_the_same_user,
);
