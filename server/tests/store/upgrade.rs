//! Servers of two versions at one database: a later version has migrated it, and this one works on.

use filepress_server::scopes::Scopes;
use filepress_server::store::records::{KeyEvent, KeyEventKind, KeyRights, Lane, Status};
use filepress_server::store::{
    CancelResult, DeleteResult, EnqueueResult, IdempotencyCheck, NewCallback, PageRequest, PageStart,
    RateLimit, UploadResult,
};
use filepress_server::upload_state::UploadState;

use crate::fixture::{Fixture, HOUR, LEASE, START, finished, received};

/// What a server does with the database. `round` keeps the rows of several calls apart.
async fn work(fixture: &Fixture, round: u8) {
    let (store, user) = (&fixture.store, &fixture.user);
    let now = START.after(HOUR * u32::from(round));
    store.check().await.unwrap();
    assert_eq!(store.user_for_email("one@example.org", "One", now).await.unwrap().id, *user);
    // A key, as requests use it.
    let rights = KeyRights::default();
    let key = store.add_key(user, &format!("fp_{round}"), &[round; 32], &rights, now).await.unwrap();
    let (found, owner) = store.key_by_hash(&[round; 32]).await.unwrap().unwrap();
    assert_eq!((&found.id, &found.rights.scopes, &owner.id), (&key.id, &Scopes::ALL, user));
    store.touch_key(&found, now).await.unwrap();
    store
        .log_key(&KeyEvent { key: key.id, at: now, kind: KeyEventKind::Created, request: None })
        .await
        .unwrap();
    let limit = RateLimit { per_minute: 10, burst: 10 };
    store.check_rate_limit(&[round; 32], limit, now).await.unwrap();
    let first = store.begin_idempotent(user, &format!("{round}"), &[1; 32], now).await.unwrap();
    assert!(matches!(first, IdempotencyCheck::First(_)));
    // A file by a resumable upload, and its quota.
    let waiting = store.add_file(fixture.new_file(now.after(HOUR)), now).await.unwrap();
    let (claim, _) = store.claim_upload(&waiting.id).await.unwrap().unwrap();
    assert!(store.record_upload(&claim, &UploadState { received: 1, objects: None }).await.unwrap());
    let uploaded = store.upload(&waiting.id, received(), now.after(HOUR), now).await.unwrap();
    assert!(matches!(uploaded, UploadResult::Kept(_)));
    store.ended_uploads(None).await.unwrap();
    assert!(store.storage_left(user, 1 << 40, now).await.unwrap() > 0);
    let page = PageRequest { size: 100, from: PageStart::Start };
    assert!(!store.files(user, page, now).await.unwrap().items.is_empty());
    // A task that is completed, and one that is canceled.
    let callback = NewCallback { url: "https://example.org".to_owned(), max_per_user: 1000 };
    let task = fixture.new_task(&fixture.file(now).await, Lane::Image);
    let task = filepress_server::store::NewTask { callback: Some(callback), ..task };
    let queued = store.add_task(task, 1000, 1000, now).await.unwrap();
    let EnqueueResult::Task(task) = queued else { panic!("{queued:?}") };
    let claim = fixture.claim(now).await.unwrap();
    assert_eq!(claim.task.id, task.id);
    assert!(store.heartbeat(&claim, &claim.task.metadata, LEASE, now).await.unwrap());
    store.complete(&claim, finished(now), now).await.unwrap().unwrap();
    assert_eq!(fixture.task(&task.id).await.status, Status::Completed);
    let canceled = fixture.queue(now).await;
    assert!(matches!(store.cancel(user, &canceled.id, now).await.unwrap(), CancelResult::Done { .. }));
    assert!(store.tasks(user, page).await.unwrap().items.len() >= 2);
    // The end of things.
    let deleted = store.delete_file(user, &waiting.id, now).await.unwrap();
    assert!(matches!(deleted, DeleteResult::Done(Some(_))));
    store.recover(now).await.unwrap();
    store.sweep(now).await.unwrap();
    store.sweep_tasks(now.before(HOUR)).await.unwrap();
    store.orphans(&[waiting.id]).await.unwrap();
}

async fn a_server_works_on_when_a_later_one_has_migrated(fixture: Fixture) {
    // Its statements are prepared now, on several connections.
    for round in 1..4 {
        work(&fixture, round).await;
    }
    fixture.place.migrate_further().await;
    for round in 4..7 {
        work(&fixture, round).await;
    }
}

async fn a_server_starts_where_a_later_one_has_migrated(fixture: Fixture) {
    fixture.place.migrate_further().await;
    let restarted = Fixture { store: fixture.place.open().await, user: fixture.user, place: fixture.place };
    work(&restarted, 1).await;
}

on_both!(a_server_works_on_when_a_later_one_has_migrated, a_server_starts_where_a_later_one_has_migrated);
