//! The database: users, keys, files, lists, stored responses, and several processes that open it.

use std::time::Duration;

use crate::fixture::{Fixture, HOUR, LEASE, Place, START, file, finished, object, received};
use filepress_server::clock::Timestamp;
use filepress_server::store::records::{Lane, Secrets};
use filepress_server::store::{
    EnqueueResult, IdempotencyCheck, NewFile, NewTask, PageRequest, PageStart, Store, UploadResult,
};
use serde_json::json;
use sqlx::Connection;

async fn email_addresses_are_compared_without_case(fixture: Fixture) {
    let same = fixture.store.user_for_email("ONE@example.org", "Another", START.after(HOUR)).await.unwrap();
    assert_eq!((same.id.as_str(), same.name.as_str()), (fixture.user.as_str(), "One"));
    assert_eq!(fixture.store.user(&same.id).await.unwrap(), Some(same));
    assert_eq!(fixture.store.user("unknown").await.unwrap(), None);
}

async fn one_of_several_concurrent_uploads_is_kept(fixture: Fixture) {
    let file = fixture.store.add_file(fixture.new_file(START.after(HOUR)), START).await.unwrap();
    assert_eq!((file.blob.as_ref(), file.format), (None, None));
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let (store, id) = (fixture.store.clone(), file.id.clone());
            tokio::spawn(async move {
                store.upload(&id, received(), START.after(48 * HOUR), START).await.unwrap()
            })
        })
        .collect();
    let mut kept = Vec::new();
    for call in calls {
        match call.await.unwrap() {
            UploadResult::Kept(file) => kept.push(file),
            other => assert_eq!(other, UploadResult::Taken),
        }
    }
    assert_eq!(kept.len(), 1);
    assert_eq!((kept[0].sniffed, kept[0].format), (received().sniffed, received().sniffed));
    assert_eq!(fixture.store.file_by_id(&file.id).await.unwrap().as_ref(), kept.first());
}

async fn an_upload_to_an_expired_file_is_refused(fixture: Fixture) {
    let file = fixture.store.add_file(fixture.new_file(START.after(HOUR)), START).await.unwrap();
    for (id, now) in [("unknown", START), (&file.id, START.after(HOUR))] {
        let upload = fixture.store.upload(id, received(), now.after(48 * HOUR), now).await.unwrap();
        assert_eq!(upload, UploadResult::Gone);
    }
}

async fn files_are_visible_only_to_their_owner_until_they_expire(fixture: Fixture) {
    let (store, user) = (&fixture.store, &fixture.user);
    let file = fixture.file(START).await;
    let stranger = store.user_for_email("two@example.org", "", START).await.unwrap().id;
    assert_eq!(store.file(user, &file.id, START).await.unwrap().as_ref(), Some(&file));
    assert_eq!(store.file(&stranger, &file.id, START).await.unwrap(), None);
    assert_eq!(store.file(user, &file.id, file.expires_at).await.unwrap(), None);
    assert_eq!(store.file_by_id(&file.id).await.unwrap().as_ref(), Some(&file));

    let ids = [file.id.as_str(), "unknown", file.id.as_str()];
    assert_eq!(store.files_of(user, &ids, START).await.unwrap(), std::slice::from_ref(&file));
    assert_eq!(store.files_of(&stranger, &ids, START).await.unwrap(), []);
    assert_eq!(store.files_of(user, &ids, file.expires_at).await.unwrap(), []);
}

/// Walks a list of ten, made at one moment, and gives the pages as indices (0 is the newest).
async fn walk(fixture: &Fixture, backwards: bool, size: u32) -> Vec<Vec<usize>> {
    let all = page(fixture, PageStart::Start, 100).await.0;
    let mut from = if backwards { PageStart::Before(Timestamp(0)) } else { PageStart::Start };
    let mut pages = Vec::new();
    loop {
        let (items, has_newer, has_older) = page(fixture, from, size).await;
        let indices: Vec<_> =
            items.iter().map(|item| all.iter().position(|other| other == item).unwrap()).collect();
        assert_eq!(has_newer, !indices.contains(&0), "{indices:?}");
        assert_eq!(has_older, !indices.contains(&9), "{indices:?}");
        pages.push(indices);
        from = match backwards {
            true if has_newer => PageStart::Before(*items.first().unwrap()),
            false if has_older => PageStart::After(*items.last().unwrap()),
            _ => return pages,
        };
    }
}

async fn page(fixture: &Fixture, from: PageStart, size: u32) -> (Vec<Timestamp>, bool, bool) {
    let slice = fixture.store.tasks(&fixture.user, PageRequest { size, from }).await.unwrap();
    let files = fixture.store.files(&fixture.user, PageRequest { size, from }, START).await.unwrap();
    let created: Vec<_> = slice.items.iter().map(|task| task.created_at).collect();
    // Files and tasks were made in turn, so that both lists have the same cursors.
    assert_eq!(created, files.items.iter().map(|file| file.created_at).collect::<Vec<_>>());
    assert_eq!((slice.has_newer, slice.has_older), (files.has_newer, files.has_older));
    (created, slice.has_newer, slice.has_older)
}

async fn lists_are_paged_in_both_directions_with_equal_creation_times(fixture: Fixture) {
    for _ in 0..10 {
        fixture.queue(START).await;
    }
    assert_eq!(walk(&fixture, false, 4).await, [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9]]);
    assert_eq!(walk(&fixture, true, 4).await, [vec![6, 7, 8, 9], vec![2, 3, 4, 5], vec![0, 1]]);
    assert_eq!(walk(&fixture, false, 5).await, [vec![0, 1, 2, 3, 4], vec![5, 6, 7, 8, 9]]);
    assert_eq!(walk(&fixture, true, 10).await, [(0..10).collect::<Vec<_>>()]);

    let all = page(&fixture, PageStart::Start, 10).await;
    assert_eq!((all.1, all.2), (false, false));
    let (newest, oldest) = (all.0[0], all.0[9]);
    // Beyond either end there is nothing but the way back.
    assert_eq!(page(&fixture, PageStart::After(oldest), 4).await, (vec![], true, false));
    assert_eq!(page(&fixture, PageStart::Before(newest), 4).await, (vec![], false, true));
}

async fn an_empty_list_has_no_other_pages(fixture: Fixture) {
    for from in [PageStart::Start, PageStart::After(START), PageStart::Before(START)] {
        assert_eq!(page(&fixture, from, 4).await, (vec![], false, false));
    }
}

async fn expired_files_are_not_listed(fixture: Fixture) {
    fixture.store.add_file(fixture.new_file(START.after(HOUR)), START).await.unwrap();
    let kept = fixture.store.add_file(fixture.new_file(START.after(2 * HOUR)), START).await.unwrap();
    let list = PageRequest { size: 1, from: PageStart::Start };
    let slice = fixture.store.files(&fixture.user, list, START.after(HOUR)).await.unwrap();
    assert_eq!((slice.items, slice.has_newer, slice.has_older), (vec![kept], false, false));
}

/// The id that a request which goes on is handed.
fn first(repeat: IdempotencyCheck) -> String {
    match repeat {
        IdempotencyCheck::First(id) => id,
        other => panic!("{other:?}"),
    }
}

async fn a_response_is_repeated_for_a_day(fixture: Fixture) {
    let (store, user) = (&fixture.store, &fixture.user);
    let ask =
        async |request: u8, now| store.begin_idempotent(user, "key", &[request; 32], now).await.unwrap();
    let made = first(ask(1, START).await);
    assert_eq!(ask(1, START).await, IdempotencyCheck::InFlight);
    assert_eq!(ask(2, START).await, IdempotencyCheck::Mismatch);
    store.complete_idempotent(user, "key", &made, 201).await.unwrap();
    let answer = IdempotencyCheck::Replay(made.clone());
    assert_eq!(ask(1, START.after(23 * HOUR)).await, answer);
    assert_eq!(ask(2, START.after(23 * HOUR)).await, IdempotencyCheck::Mismatch);
    store.abort_idempotent(user, "key", &made).await.unwrap();
    assert_eq!(ask(1, START).await, answer);
    let stranger = store.user_for_email("two@example.org", "", START).await.unwrap().id;
    let theirs = first(store.begin_idempotent(&stranger, "key", &[1; 32], START).await.unwrap());
    let later = first(ask(1, START.after(24 * HOUR)).await);
    assert!(made != theirs && made != later);
}

async fn an_interrupted_request_creates_nothing_twice(fixture: Fixture) {
    let (store, user) = (&fixture.store, &fixture.user);
    let ask =
        async |request: u8, now| store.begin_idempotent(user, "key", &[request; 32], now).await.unwrap();
    let id = first(ask(1, START).await);
    // Refused, forgotten by its client, killed: it is the same request that comes again.
    store.abort_idempotent(user, "key", &id).await.unwrap();
    assert_eq!(first(ask(1, START).await), id);
    let killed = START.after(Duration::from_secs(4));
    assert_eq!(first(ask(1, killed).await), id);
    assert_eq!(ask(1, killed).await, IdempotencyCheck::InFlight);
    // What is shared has other users than this process; what is not is free at once when the process is gone.
    store.recover(killed).await.unwrap();
    let now = if store.is_shared() { killed.after(Duration::from_secs(4)) } else { killed };
    assert_eq!(first(ask(1, now).await), id);

    let file = NewFile { id: Some(id.clone()), ..fixture.new_file(START.after(HOUR)) };
    let made = store.add_file(file.clone(), START).await.unwrap();
    assert_eq!(made.id, id);
    assert_eq!(store.add_file(file, START.after(HOUR)).await.unwrap(), made);
    let task = NewTask { id: Some(id.clone()), ..fixture.new_task(&fixture.file(START).await, Lane::Image) };
    let made = store.add_task(task.clone(), 1, 1, START).await.unwrap();
    assert!(matches!(made, EnqueueResult::Task(_)));
    assert_eq!(store.add_task(task, 1, 1, START).await.unwrap(), made);

    // A key that was never answered for is free for another request, and that makes something else.
    store.abort_idempotent(user, "key", &id).await.unwrap();
    assert_eq!(store.task(user, &first(ask(2, START).await)).await.unwrap(), None);
    assert!(store.complete_idempotent(user, "unknown", &id, 201).await.is_err());
}

/// A request that took too long, and whose key another request has taken over since.
async fn a_slow_request_does_not_end_the_one_that_took_its_key(fixture: Fixture) {
    let (store, user) = (&fixture.store, &fixture.user);
    let ask =
        async |request: u8, now| store.begin_idempotent(user, "key", &[request; 32], now).await.unwrap();
    let slow = first(ask(1, START).await);
    let now = START.after(Duration::from_secs(4));
    let made = first(ask(2, now).await);
    assert_ne!(made, slow);
    store.abort_idempotent(user, "key", &slow).await.unwrap();
    assert_eq!(ask(2, now).await, IdempotencyCheck::InFlight);
    assert!(store.complete_idempotent(user, "key", &slow, 201).await.is_err());
    assert_eq!(ask(2, now).await, IdempotencyCheck::InFlight);
    store.complete_idempotent(user, "key", &made, 201).await.unwrap();
    assert_eq!(ask(2, now).await, IdempotencyCheck::Replay(made));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_database_can_be_opened_and_written_concurrently() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/filepress.db");
    let opened: Vec<_> = (0..8)
        .map(|index| {
            let path = path.clone();
            tokio::spawn(async move {
                let store = Store::open(&path).await.unwrap();
                let user = store.user_for_email("one@example.org", "", START).await.unwrap().id;
                for _ in 0..10 {
                    let file = NewFile {
                        id: None,
                        user: user.clone(),
                        format: None,
                        size: index,
                        expires_at: START.after(HOUR),
                    };
                    store.add_file(file, START).await.unwrap();
                }
                store.check().await.unwrap();
            })
        })
        .collect();
    for task in opened {
        task.await.unwrap();
    }
    let store = Store::open(&path).await.unwrap();
    let user = store.user_for_email("one@example.org", "", START).await.unwrap().id;
    let slice = store.files(&user, PageRequest { size: 100, from: PageStart::Start }, START).await.unwrap();
    assert_eq!(slice.items.len(), 80);
    let newest = slice.items.first().unwrap().created_at;
    assert_eq!(newest, Timestamp(START.0 + 79));
}

async fn the_secrets_of_a_task_are_erased_when_it_ends(fixture: Fixture) {
    const PASSWORD: &str = "Planted-password-93c1";
    let store = &fixture.store;
    let secrets = Secrets(object(json!({ "password": PASSWORD })));
    for ends_well in [true, false] {
        let input = fixture.file(START).await;
        let task = NewTask { secrets: secrets.clone(), ..fixture.new_task(&input, Lane::Heavy) };
        assert!(!format!("{task:?}").contains(PASSWORD), "{task:?}");
        let queued = store.add_task(task, 9, 9, START).await.unwrap();
        assert!(!format!("{queued:?}").contains(PASSWORD), "{queued:?}");
        let claim = store.claim(Lane::Heavy, "worker", false, LEASE, None, START).await.unwrap().unwrap();
        assert_eq!(claim.secrets, secrets);
        assert!(!format!("{claim:?}").contains(PASSWORD), "{claim:?}");
        match ends_well {
            true => assert!(store.complete(&claim, finished(START), START).await.unwrap().is_some()),
            false => assert!(store.fail(&claim, object(json!({})), START).await.unwrap()),
        }
    }
    // On disk PostgreSQL keeps old versions of a row until it is vacuumed.
    let Place::Sqlite(folder) = &fixture.place else { return };
    // What the log before the database holds is written over sooner or later; now it is taken in and cut.
    let path = file(folder);
    let mut connection =
        sqlx::SqliteConnection::connect(&format!("sqlite:{}", path.display())).await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(PASSWORD.len()).any(|window| window == PASSWORD.as_bytes()));
    }
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_an_error_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("filepress.db");
    let text = "no database, whatever its name. ".repeat(64);
    std::fs::write(&path, &text).unwrap();
    assert!(Store::open(&path).await.is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

on_both!(
    the_secrets_of_a_task_are_erased_when_it_ends,
    email_addresses_are_compared_without_case,
    one_of_several_concurrent_uploads_is_kept,
    an_upload_to_an_expired_file_is_refused,
    files_are_visible_only_to_their_owner_until_they_expire,
    lists_are_paged_in_both_directions_with_equal_creation_times,
    an_empty_list_has_no_other_pages,
    expired_files_are_not_listed,
    a_response_is_repeated_for_a_day,
    an_interrupted_request_creates_nothing_twice,
    a_slow_request_does_not_end_the_one_that_took_its_key,
);
