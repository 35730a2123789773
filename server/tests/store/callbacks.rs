//! Callbacks: due when their task ends, claimed by one process at a time, and called again after a failure.

use std::collections::BTreeSet;
use std::time::Duration;

use filepress_server::clock::Timestamp;
use filepress_server::store::records::{Callback, CallbackStatus, Lane, Task};
use filepress_server::store::{
    CallbackEnd, EnqueueResult, MAX_ATTEMPTS, NewCallback, NewTask, PageRequest, PageStart, Store,
};
use serde_json::Map;
use sqlx::{Connection, PgConnection, SqliteConnection};

use crate::fixture::{self, Fixture, HOUR, LEASE, Place, START, finished};

const URL: &str = "https://example.org/hook?token=secret";

fn new_task(fixture: &Fixture, input: &filepress_server::store::records::File, max: u32) -> NewTask {
    let callback = Some(NewCallback { url: URL.to_owned(), max_per_user: max });
    NewTask { callback, ..fixture.new_task(input, Lane::Image) }
}

/// Queues a task with a callback.
async fn queue(fixture: &Fixture) -> Task {
    let task = new_task(fixture, &fixture.file(START).await, 1000);
    match fixture.store.add_task(task, 1000, 1000, START).await.unwrap() {
        EnqueueResult::Task(task) => task,
        other => panic!("{other:?}"),
    }
}

/// Ends the oldest task.
async fn end(fixture: &Fixture, now: Timestamp) {
    let claim = fixture.claim(now).await.unwrap();
    assert!(fixture.store.complete(&claim, finished(now), now).await.unwrap().is_some());
}

async fn callback(fixture: &Fixture, task: &Task) -> Callback {
    fixture.task(&task.id).await.callback.unwrap()
}

async fn is_due(fixture: &Fixture, now: Timestamp) -> bool {
    let claim = fixture.store.claim_callback("server", LEASE, now).await.unwrap();
    if let Some(claim) = &claim {
        assert_eq!((claim.url.as_str(), claim.attempt, claim.ended_at), (URL, 1, now));
        assert!(!format!("{claim:?}").contains("secret"));
    }
    claim.is_some()
}

async fn a_callback_is_due_when_its_task_ends_however_it_ends(fixture: Fixture) {
    let store = &fixture.store;
    let waiting = queue(&fixture).await;
    let expected =
        Callback { url: URL.to_owned(), status: CallbackStatus::Waiting, attempts: 0, failure: None };
    assert_eq!(waiting.callback.as_ref(), Some(&expected));
    assert_eq!(fixture.task(&waiting.id).await.callback, Some(expected));
    let page = PageRequest { size: 10, from: PageStart::Start };
    assert_eq!(store.tasks(&fixture.user, page).await.unwrap().items[0].callback, waiting.callback);
    assert!(!is_due(&fixture, START).await);
    let claim = fixture.claim(START).await.unwrap();
    assert!(!is_due(&fixture, START).await);
    assert!(store.complete(&claim, finished(START), START).await.unwrap().is_some());
    assert!(is_due(&fixture, START).await);

    queue(&fixture).await;
    let claim = fixture.claim(START).await.unwrap();
    assert!(store.fail(&claim, Map::new(), START).await.unwrap());
    assert!(is_due(&fixture, START).await);

    let canceled = queue(&fixture).await;
    store.cancel(&fixture.user, &canceled.id, START).await.unwrap();
    assert!(is_due(&fixture, START).await);
    assert!(!is_due(&fixture, START).await);

    // The worker is lost again and again.
    queue(&fixture).await;
    let mut now = START;
    for _ in 0..MAX_ATTEMPTS {
        assert!(fixture.claim(now).await.is_some());
        now = now.after(LEASE);
    }
    assert!(fixture.claim(now).await.is_none());
    // By now, the leases of the others are over too.
    let mut found = BTreeSet::new();
    while let Some(claim) = store.claim_callback("server", LEASE, now).await.unwrap() {
        found.insert(claim.task);
    }
    assert_eq!(found.len(), 4);

    // The input expires while the task waits.
    queue(&fixture).await;
    let late = START.after(49 * HOUR);
    assert!(fixture.claim(late).await.is_none());
    assert!(store.claim_callback("server", LEASE, late).await.unwrap().is_some());
}

async fn a_claim_ends_with_its_lease_and_an_old_one_records_nothing(fixture: Fixture) {
    let store = &fixture.store;
    let task = queue(&fixture).await;
    end(&fixture, START).await;
    let first = store.claim_callback("one", LEASE, START).await.unwrap().unwrap();
    let almost = START.after(LEASE - Duration::from_nanos(1));
    assert!(store.claim_callback("other", LEASE, almost).await.unwrap().is_none());
    let late = START.after(LEASE);
    let second = store.claim_callback("other", LEASE, late).await.unwrap().unwrap();
    assert_eq!((&second.id, second.attempt), (&first.id, 2));
    for ended in [CallbackEnd::Delivered, CallbackEnd::Failed("timed_out".to_owned())] {
        assert!(!store.end_callback(&first, &ended, late).await.unwrap());
    }
    assert_eq!(callback(&fixture, &task).await.status, CallbackStatus::Pending);
    assert!(store.end_callback(&second, &CallbackEnd::Delivered, late).await.unwrap());
    assert!(!store.end_callback(&second, &CallbackEnd::Delivered, late).await.unwrap());
    let seen = callback(&fixture, &task).await;
    assert_eq!((seen.status, seen.attempts, seen.failure), (CallbackStatus::Delivered, 2, None));
    assert!(store.claim_callback("other", LEASE, late.after(HOUR)).await.unwrap().is_none());
}

async fn a_failed_call_is_made_again_after_a_pause_until_it_is_given_up(fixture: Fixture) {
    let store = &fixture.store;
    let task = queue(&fixture).await;
    end(&fixture, START).await;
    let claim = store.claim_callback("one", LEASE, START).await.unwrap().unwrap();
    let again = START.after(HOUR);
    let retry = CallbackEnd::Retry("status_503".to_owned(), again);
    assert!(store.end_callback(&claim, &retry, START).await.unwrap());
    let seen = callback(&fixture, &task).await;
    assert_eq!((seen.status, seen.attempts), (CallbackStatus::Pending, 1));
    assert_eq!(seen.failure.as_deref(), Some("status_503"));
    assert_eq!(store.pending_callbacks().await.unwrap(), 1);
    assert!(
        store.claim_callback("one", LEASE, again.before(Duration::from_nanos(1))).await.unwrap().is_none()
    );
    let claim = store.claim_callback("one", LEASE, again).await.unwrap().unwrap();
    let failed = CallbackEnd::Failed("status_410".to_owned());
    assert!(store.end_callback(&claim, &failed, again).await.unwrap());
    assert_eq!(callback(&fixture, &task).await.status, CallbackStatus::Failed);
    assert_eq!(store.pending_callbacks().await.unwrap(), 0);
    assert!(store.claim_callback("one", LEASE, again.after(HOUR)).await.unwrap().is_none());
}

/// Each server that calls is killed before it can record anything.
async fn calls_of_servers_that_were_killed_count(fixture: Fixture) {
    let store = &fixture.store;
    let task = queue(&fixture).await;
    end(&fixture, START).await;
    let mut now = START;
    for attempt in 1..=10 {
        let claim = store.claim_callback("server", LEASE, now).await.unwrap().unwrap();
        assert_eq!(claim.attempt, attempt);
        now = now.after(LEASE);
    }
    assert!(store.claim_callback("server", LEASE, now).await.unwrap().is_none());
    let seen = callback(&fixture, &task).await;
    assert_eq!((seen.status, seen.attempts), (CallbackStatus::Failed, 10));
    assert_eq!(seen.failure.as_deref(), Some("interrupted"));
    assert_eq!(store.pending_callbacks().await.unwrap(), 0);
}

/// No server runs when the next call is due.
async fn a_call_that_is_a_day_late_is_not_made(fixture: Fixture) {
    let store = &fixture.store;
    let task = queue(&fixture).await;
    end(&fixture, START).await;
    let claim = store.claim_callback("server", LEASE, START).await.unwrap().unwrap();
    let retry = CallbackEnd::Retry("status_503".to_owned(), START.after(HOUR));
    assert!(store.end_callback(&claim, &retry, START).await.unwrap());
    let last = START.after(24 * HOUR);
    let claim = store.claim_callback("server", LEASE, last).await.unwrap().unwrap();
    let retry = CallbackEnd::Retry("status_503".to_owned(), last);
    assert!(store.end_callback(&claim, &retry, last).await.unwrap());
    // Others are called nevertheless.
    let other = queue(&fixture).await;
    let late = last.after(Duration::from_nanos(1));
    end(&fixture, late).await;
    let claim = store.claim_callback("server", LEASE, late).await.unwrap().unwrap();
    assert_eq!(claim.task, other.id);
    let seen = callback(&fixture, &task).await;
    assert_eq!((seen.status, seen.attempts), (CallbackStatus::Failed, 2));
    assert_eq!(seen.failure.as_deref(), Some("status_503"));
}

async fn a_user_whose_receiver_is_slow_does_not_hold_up_others(fixture: Fixture) {
    let Fixture { store, place, .. } = &fixture;
    for _ in 0..6 {
        queue(&fixture).await;
        end(&fixture, START).await;
    }
    let user = store.user_for_email("other@example.org", "", START).await.unwrap().id;
    let other = Fixture { store: place.open().await, user, place: Place::Postgres(String::new()) };
    let last = queue(&other).await;
    end(&other, START.after(Duration::from_secs(1))).await;
    let now = START.after(Duration::from_secs(2));
    let mut users = Vec::new();
    while let Some(claim) = store.claim_callback("server", LEASE, now).await.unwrap() {
        users.push(claim.user);
    }
    assert_eq!(users, [vec![fixture.user.clone(); 4], vec![last.user]].concat());
}

async fn of_several_processes_one_claims(fixture: Fixture) {
    const USERS: usize = 12;
    for index in 0..USERS {
        let user = fixture.store.user_for_email(&format!("{index}@example.org"), "", START).await.unwrap().id;
        let own = Fixture { store: fixture.store.clone(), user, place: Place::Postgres(String::new()) };
        queue(&own).await;
        end(&own, START).await;
    }
    let mut calls = Vec::new();
    for index in 0..4 {
        let store: Store = fixture.place.open().await;
        calls.push(tokio::spawn(async move {
            let mut claimed = Vec::new();
            while let Some(claim) = store.claim_callback(&index.to_string(), LEASE, START).await.unwrap() {
                claimed.push(claim.id);
            }
            claimed
        }));
    }
    let mut claimed = Vec::new();
    for call in calls {
        claimed.extend(call.await.unwrap());
    }
    // A process that found rows locked by others may have stopped early, but not the last one.
    assert_eq!((claimed.len(), BTreeSet::from_iter(claimed).len()), (USERS, USERS));
}

async fn several_processes_call_four_of_a_user_at_once(fixture: Fixture) {
    for _ in 0..12 {
        queue(&fixture).await;
        end(&fixture, START).await;
    }
    let mut processes: Vec<Store> = Vec::new();
    for _ in 0..8 {
        processes.push(fixture.place.open().await);
    }
    let mut calls = Vec::new();
    for (index, store) in processes.into_iter().enumerate() {
        calls.push(tokio::spawn(async move {
            let mut claimed = 0;
            while store.claim_callback(&index.to_string(), LEASE, START).await.unwrap().is_some() {
                claimed += 1;
            }
            claimed
        }));
    }
    let mut claimed = 0;
    for call in calls {
        claimed += call.await.unwrap();
    }
    assert_eq!(claimed, 4);
}

async fn callbacks_that_were_not_delivered_are_limited(fixture: Fixture) {
    let store = &fixture.store;
    let input = fixture.file(START).await;
    let mut calls = Vec::new();
    for _ in 0..10 {
        let (store, task) = (fixture.place.open().await, new_task(&fixture, &input, 3));
        calls.push(tokio::spawn(async move { store.add_task(task, 1000, 1000, START).await.unwrap() }));
    }
    let mut queued = 0;
    for call in calls {
        match call.await.unwrap() {
            EnqueueResult::Task(_) => queued += 1,
            other => assert_eq!(other, EnqueueResult::CallbacksFull),
        }
    }
    assert_eq!(queued, 3);
    // A task without one is not limited, and a delivery makes room.
    let without = fixture.new_task(&input, Lane::Image);
    assert!(matches!(store.add_task(without, 1000, 1000, START).await.unwrap(), EnqueueResult::Task(_)));
    end(&fixture, START).await;
    let claim = store.claim_callback("server", LEASE, START).await.unwrap().unwrap();
    let add = async || store.add_task(new_task(&fixture, &input, 3), 1000, 1000, START).await.unwrap();
    assert_eq!(add().await, EnqueueResult::CallbacksFull);
    assert!(store.end_callback(&claim, &CallbackEnd::Delivered, START).await.unwrap());
    assert!(matches!(add().await, EnqueueResult::Task(_)));
}

async fn an_equal_request_gets_the_same_callback(fixture: Fixture) {
    let id = filepress_server::ids::uuid().unwrap();
    let task = NewTask { id: Some(id), ..new_task(&fixture, &fixture.file(START).await, 1) };
    let first = fixture.store.add_task(task.clone(), 10, 10, START).await.unwrap();
    assert_eq!(fixture.store.add_task(task, 10, 10, START).await.unwrap(), first);
    assert_eq!(format!("{first:?}").matches("secret").count(), 0);
}

async fn a_callback_is_found_whose_task_an_earlier_version_ended(fixture: Fixture) {
    let task = queue(&fixture).await;
    assert_eq!(fixture.store.find_missed_callbacks(START).await.unwrap(), 0);
    let sql = format!(
        "UPDATE tasks SET status = 'FAILED', ready_at = NULL, processed_at = {} WHERE id = '{}'",
        START.0, task.id
    );
    match &fixture.place {
        Place::Sqlite(folder) => {
            let url = format!("sqlite://{}", fixture::file(folder).display());
            sqlx::query(&sql).execute(&mut SqliteConnection::connect(&url).await.unwrap()).await.unwrap();
        }
        Place::Postgres(url) => {
            sqlx::query(&sql).execute(&mut PgConnection::connect(url).await.unwrap()).await.unwrap();
        }
    }
    assert!(!is_due(&fixture, START).await);
    assert_eq!(fixture.store.find_missed_callbacks(START).await.unwrap(), 1);
    assert!(is_due(&fixture, START).await);
    assert_eq!(fixture.store.find_missed_callbacks(START).await.unwrap(), 0);
}

async fn a_deleted_task_has_no_callback(fixture: Fixture) {
    queue(&fixture).await;
    end(&fixture, START).await;
    let claim = fixture.store.claim_callback("server", LEASE, START).await.unwrap().unwrap();
    let late = START.after(49 * HOUR);
    fixture.store.sweep(late).await.unwrap();
    assert_eq!(fixture.store.sweep_tasks(late).await.unwrap(), 1);
    assert!(!fixture.store.end_callback(&claim, &CallbackEnd::Delivered, START).await.unwrap());
    assert_eq!(fixture.store.pending_callbacks().await.unwrap(), 0);
}

async fn a_secret_is_made_once_and_may_be_replaced(fixture: Fixture) {
    let Fixture { store, user, place } = &fixture;
    let mut calls = Vec::new();
    for index in 0..4 {
        let (store, user) = (place.open().await, user.clone());
        calls.push(tokio::spawn(async move {
            store.callback_secrets(&user, &index.to_string(), START).await.unwrap()
        }));
    }
    let mut seen = BTreeSet::new();
    for call in calls {
        let secrets = call.await.unwrap();
        assert_eq!(secrets.previous, None);
        seen.insert(secrets.current);
    }
    assert_eq!(seen.len(), 1);
    let first = seen.pop_first();
    store.rotate_callback_secret(user, "new", HOUR, START).await.unwrap();
    let secrets = store.callback_secrets(user, "unused", START).await.unwrap();
    assert_eq!((secrets.current.as_str(), &secrets.previous), ("new", &first));
    let secrets = store.callback_secrets(user, "unused", START.after(HOUR)).await.unwrap();
    assert_eq!((secrets.current.as_str(), &secrets.previous), ("new", &None));
    assert_eq!(format!("{secrets:?}"), "CallbackSecrets(…)");
    let other = store.user_for_email("other@example.org", "", START).await.unwrap().id;
    store.rotate_callback_secret(&other, "first", HOUR, START).await.unwrap();
    assert_eq!(store.callback_secrets(&other, "unused", START).await.unwrap().current, "first");
}

on_both!(
    a_callback_is_due_when_its_task_ends_however_it_ends,
    a_claim_ends_with_its_lease_and_an_old_one_records_nothing,
    a_failed_call_is_made_again_after_a_pause_until_it_is_given_up,
    a_user_whose_receiver_is_slow_does_not_hold_up_others,
    calls_of_servers_that_were_killed_count,
    a_call_that_is_a_day_late_is_not_made,
    of_several_processes_one_claims,
    several_processes_call_four_of_a_user_at_once,
    callbacks_that_were_not_delivered_are_limited,
    an_equal_request_gets_the_same_callback,
    a_callback_is_found_whose_task_an_earlier_version_ended,
    a_deleted_task_has_no_callback,
    a_secret_is_made_once_and_may_be_replaced,
);

#[tokio::test]
async fn the_only_process_of_a_database_takes_claims_back() {
    let fixture = Fixture::sqlite().await;
    queue(&fixture).await;
    end(&fixture, START).await;
    assert!(fixture.store.claim_callback("server", LEASE, START).await.unwrap().is_some());
    assert_eq!(fixture.store.recover_callbacks(START).await.unwrap(), 1);
    assert!(fixture.store.claim_callback("server", LEASE, START).await.unwrap().is_some());
    assert_eq!(Fixture::postgres().await.store.recover_callbacks(START).await.unwrap(), 0);
}
