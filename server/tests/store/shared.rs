//! Several processes at one database: limits, cursors and claims hold across them, and signals reach the others.

use std::collections::BTreeSet;
use std::time::Duration;

use filepress_server::store::records::Lane;
use filepress_server::store::{
    DeclareResult, EnqueueResult, IdempotencyCheck, NewFile, PageRequest, PageStart, Signal, Store,
};

use crate::fixture::{Fixture, HOUR, LEASE, START, finished};

const PROCESSES: usize = 4;

async fn processes(fixture: &Fixture) -> Vec<Store> {
    let mut stores = Vec::new();
    for _ in 0..PROCESSES {
        stores.push(fixture.place.open().await);
    }
    stores
}

async fn the_queue_is_never_longer_than_allowed(fixture: Fixture) {
    const MAX: u32 = 13;
    let mut calls = Vec::new();
    for (index, store) in processes(&fixture).await.into_iter().enumerate() {
        let user = store.user_for_email(&format!("{index}@example.org"), "", START).await.unwrap().id;
        let owned = Fixture { store, user, place: crate::fixture::Place::Postgres(String::new()) };
        let input = owned.file(START).await;
        for _ in 0..10 {
            let (store, task) = (owned.store.clone(), owned.new_task(&input, Lane::Image));
            calls.push(tokio::spawn(async move { store.add_task(task, 1000, MAX, START).await.unwrap() }));
        }
    }
    let mut queued = 0;
    for call in calls {
        match call.await.unwrap() {
            EnqueueResult::Task(_) => queued += 1,
            other => assert_eq!(other, EnqueueResult::QueueFull),
        }
    }
    assert_eq!(queued, MAX);
}

async fn a_user_stores_no_more_than_allowed(fixture: Fixture) {
    let mut calls = Vec::new();
    for store in processes(&fixture).await {
        for _ in 0..10 {
            let (store, file) = (store.clone(), fixture.new_file(START.after(HOUR)));
            calls.push(tokio::spawn(async move { store.declare(file, 3 * 7, START).await.unwrap() }));
        }
    }
    let mut declared = 0;
    for call in calls {
        declared += u32::from(matches!(call.await.unwrap(), DeclareResult::File(_)));
    }
    assert_eq!(declared, 7);
}

async fn one_of_several_equal_requests_is_the_first(fixture: Fixture) {
    for round in 0..10 {
        let mut calls = Vec::new();
        for store in processes(&fixture).await {
            let (user, key) = (fixture.user.clone(), format!("key {round}"));
            calls.push(tokio::spawn(async move {
                store.begin_idempotent(&user, &key, &[1; 32], START).await.unwrap()
            }));
        }
        let mut first = 0;
        for call in calls {
            match call.await.unwrap() {
                IdempotencyCheck::First(_) => first += 1,
                other => assert_eq!(other, IdempotencyCheck::InFlight),
            }
        }
        assert_eq!(first, 1);
    }
}

/// A reader who goes on from the newest file that it saw finds every file that comes after.
async fn a_cursor_never_passes_a_file_that_is_still_to_come(fixture: Fixture) {
    const FILES: usize = 25;
    let mut writers = Vec::new();
    for store in processes(&fixture).await {
        let user = fixture.user.clone();
        writers.push(tokio::spawn(async move {
            for index in 0..FILES {
                // The clocks of no two writers agree.
                let now = START.after(Duration::from_nanos((index % 7) as u64));
                let expires_at = START.after(HOUR);
                let file = NewFile { id: None, user: user.clone(), format: None, size: 3, expires_at };
                store.add_file(file, now).await.unwrap();
            }
        }));
    }
    let (mut seen, mut from) = (BTreeSet::new(), START.before(HOUR));
    while seen.len() < PROCESSES * FILES {
        let done = writers.iter().all(tokio::task::JoinHandle::is_finished);
        let page = PageRequest { size: 7, from: PageStart::Before(from) };
        let page = fixture.store.files(&fixture.user, page, START).await.unwrap();
        match page.items.first() {
            Some(newest) => from = newest.created_at,
            None => assert!(!done, "{} of {} files were found", seen.len(), PROCESSES * FILES),
        }
        seen.extend(page.items.into_iter().map(|file| file.id));
    }
    for writer in writers {
        writer.await.unwrap();
    }
}

/// Workers of several processes, some of which are lost with their claim: every task ends once, by the holder of its newest claim.
async fn every_task_ends_once_although_workers_are_lost(fixture: Fixture) {
    const TASKS: usize = 40;
    for _ in 0..TASKS {
        fixture.queue(START).await;
    }
    let stores = processes(&fixture).await;
    let (mut ended, mut lost) = (Vec::new(), Vec::new());
    // At first every other worker is lost with what it claims; when the leases are over, all of them work.
    for (now, dies) in [(START, [true, false, true, false]), (START.after(LEASE), [false; PROCESSES])] {
        let workers = stores.iter().cloned().zip(dies).map(|(store, dies)| {
            tokio::spawn(async move {
                let (mut ended, mut lost) = (Vec::new(), Vec::new());
                while let Some(claim) =
                    store.claim(Lane::Image, "worker", false, LEASE, None, now).await.unwrap()
                {
                    if dies {
                        lost.push(claim);
                    } else {
                        assert!(store.complete(&claim, finished(now), now).await.unwrap().is_some());
                        ended.push(claim.task.id);
                    }
                }
                (ended, lost)
            })
        });
        let workers: Vec<_> = workers.collect();
        for worker in workers {
            let (more_ended, more_lost) = worker.await.unwrap();
            ended.extend(more_ended);
            lost.extend(more_lost);
        }
    }
    for claim in lost {
        let late = START.after(LEASE);
        assert!(fixture.store.complete(&claim, finished(late), late).await.unwrap().is_none());
    }
    let once: BTreeSet<_> = ended.iter().cloned().collect();
    assert_eq!((ended.len(), once.len()), (TASKS, TASKS));
    assert!(fixture.claim(START.after(10 * LEASE)).await.is_none());
}

async fn the_first_signing_keys_are_those_of_one_process(fixture: Fixture) {
    let store = &fixture.store;
    assert_eq!(store.signing_keys().await.unwrap(), None);
    let mut first = 0;
    for (index, other) in processes(&fixture).await.into_iter().enumerate() {
        first += u32::from(other.replace_signing_keys(None, &index.to_string()).await.unwrap());
    }
    assert_eq!(first, 1);
    assert_eq!(store.signing_keys().await.unwrap(), Some((1, "0".to_owned())));
    assert!(store.replace_signing_keys(Some(1), "new").await.unwrap());
    assert!(!store.replace_signing_keys(Some(1), "late").await.unwrap());
    assert_eq!(store.signing_keys().await.unwrap(), Some((2, "new".to_owned())));
}

on_both!(
    the_queue_is_never_longer_than_allowed,
    a_user_stores_no_more_than_allowed,
    one_of_several_equal_requests_is_the_first,
    a_cursor_never_passes_a_file_that_is_still_to_come,
    every_task_ends_once_although_workers_are_lost,
    the_first_signing_keys_are_those_of_one_process,
);

#[tokio::test]
async fn signals_reach_other_processes() {
    let fixture = Fixture::postgres().await;
    let mut signals = fixture.place.open().await.signals().unwrap();
    // Before it listened it may have missed any.
    assert_eq!(signals.next().await, [Signal::Queued, Signal::Canceled, Signal::CallbackDue]);
    let task = fixture.queue(START).await;
    assert_eq!(signals.next().await, [Signal::Queued]);
    fixture.store.cancel(&fixture.user, &task.id, START).await.unwrap();
    assert_eq!(signals.next().await, [Signal::Canceled]);
}

#[tokio::test]
async fn a_shared_database_has_a_clock_of_its_own_and_takes_no_claim_back() {
    let fixture = Fixture::postgres().await;
    let (one, other) = (fixture.place.open().await, fixture.place.open().await);
    let (first, second) = (one.clock().unwrap(), other.clock().unwrap());
    let times = [first.now(), second.now(), first.now()];
    assert!(
        times[2].since(times[0]) < Duration::from_secs(5)
            && times[1].since(times[0]) < Duration::from_secs(5)
    );
    fixture.queue(START).await;
    assert!(fixture.claim(START).await.is_some());
    assert_eq!(one.recover(START).await.unwrap(), 0);
    assert!(fixture.claim(START).await.is_none());
    assert!(Fixture::sqlite().await.store.clock().is_none());
}

#[tokio::test]
async fn a_database_that_cannot_be_reached_is_a_temporary_error() {
    let nobody = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
    let error = Store::connect(&format!("postgres://nobody@{nobody}/nothing")).await.unwrap_err();
    assert!(matches!(error, filepress_server::store::StoreError::Unavailable(_)), "{error}");
}
