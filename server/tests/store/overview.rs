//! What the operator sees of all users.

use filepress_server::clock::Timestamp;
use filepress_server::store::records::{KeyRights, Status};
use filepress_server::store::{CancelResult, ListCursor, Stored};

use crate::fixture::{Fixture, HOUR, START, finished};

/// Three tasks of two users, all of the same time.
async fn tasks(fixture: &mut Fixture) -> Vec<String> {
    let mut ids = Vec::new();
    for user in ["one@example.org", "two@example.org", "three@example.org"] {
        fixture.user = fixture.store.user_for_email(user, "", START).await.unwrap().id;
        ids.push(fixture.queue(START).await.id);
    }
    ids.sort_by(|one, other| other.cmp(one));
    ids
}

async fn tasks_of_all_users_are_listed_newest_first(mut fixture: Fixture) {
    let mut expected = tasks(&mut fixture).await;
    let newer = fixture.queue(START.after(HOUR)).await.id;
    expected.insert(0, newer);
    let store = &fixture.store;
    for size in 1..=4 {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = store.all_tasks(None, after, size).await.unwrap();
            after =
                page.last().map(|(task, _)| ListCursor { created_at: task.created_at, id: task.id.clone() });
            if page.is_empty() {
                break;
            }
            found.extend(page.into_iter().map(|(task, _)| task.id));
        }
        assert_eq!(found, expected, "pages of {size}");
    }
    let newest = store.all_tasks(None, None, 1).await.unwrap();
    assert_eq!(newest[0].1, "three@example.org");
}

async fn tasks_are_selected_by_status(mut fixture: Fixture) {
    let ids = tasks(&mut fixture).await;
    let store = &fixture.store;
    let done = fixture.claim(START).await.unwrap();
    store.complete(&done, finished(START), START).await.unwrap().unwrap();
    let running = fixture.claim(START).await.unwrap().task.id;
    let waiting: Vec<_> = ids.iter().filter(|id| **id != running && **id != done.task.id).collect();
    for (status, expected) in [
        (Status::Completed, Some(&done.task.id)),
        (Status::Processing, Some(&running)),
        (Status::Pending, Some(waiting[0])),
        (Status::Failed, None),
    ] {
        let found = store.all_tasks(Some(status), None, 10).await.unwrap();
        let found: Vec<_> = found.iter().map(|(task, _)| &task.id).collect();
        assert_eq!(found, Vec::from_iter(expected), "{status:?}");
    }
}

async fn the_operator_cancels_tasks_of_any_user(mut fixture: Fixture) {
    let ids = tasks(&mut fixture).await;
    let store = &fixture.store;
    let claim = fixture.claim(START).await.unwrap();
    match store.cancel_any(&claim.task.id, START).await.unwrap() {
        CancelResult::Done { task, running: true } => {
            assert_eq!((task.status, &task.user), (Status::Failed, &claim.task.user));
            assert_eq!(task.metadata["error"]["detail"], "The operator canceled the task.");
        }
        other => panic!("{other:?}"),
    }
    let now = START.after(HOUR);
    assert!(store.complete(&claim, finished(now), now).await.unwrap().is_none(), "the claim is lost");
    assert!(matches!(store.cancel_any(&claim.task.id, now).await.unwrap(), CancelResult::Already(_)));
    assert_eq!(store.cancel_any("nothing", now).await.unwrap(), CancelResult::Unknown);
    // An owner still cancels only their own.
    let others = ids.iter().find(|id| **id != claim.task.id).unwrap();
    assert_eq!(store.cancel(&claim.task.user, others, now).await.unwrap(), CancelResult::Unknown);
}

async fn what_is_stored_is_counted(fixture: Fixture) {
    let store = &fixture.store;
    assert_eq!(store.stored().await.unwrap(), Stored { users: 1, ..Stored::default() });
    fixture.file(START).await;
    fixture.file(START).await;
    store.add_file(fixture.new_file(START.after(HOUR)), START).await.unwrap();
    assert_eq!(store.stored().await.unwrap(), Stored { files: 2, bytes: 6, awaited: 1, users: 1 });
}

async fn keys_are_listed_newest_first(fixture: Fixture) {
    let store = &fixture.store;
    let mut expected = Vec::new();
    for number in 0..5_u8 {
        let at = Timestamp(START.0 + i64::from(number / 2));
        let key =
            store.add_key(&fixture.user, "fp_", &[number; 32], &KeyRights::default(), at).await.unwrap();
        expected.push((key.created_at, key.id));
    }
    expected.sort_by(|one, other| other.cmp(one));
    let all: Vec<_> =
        store.keys().await.unwrap().into_iter().map(|(key, _)| (key.created_at, key.id)).collect();
    assert_eq!(all, expected);
    let mut found = Vec::new();
    while let page = store
        .some_keys(
            found.last().map(|(at, id): &(Timestamp, String)| ListCursor { created_at: *at, id: id.clone() }),
            2,
        )
        .await
        .unwrap()
        && !page.is_empty()
    {
        assert!(page.iter().all(|(_, owner)| owner.email == "one@example.org"));
        found.extend(page.into_iter().map(|(key, _)| (key.created_at, key.id)));
    }
    assert_eq!(found, expected);
}

on_both!(
    tasks_of_all_users_are_listed_newest_first,
    tasks_are_selected_by_status,
    the_operator_cancels_tasks_of_any_user,
    what_is_stored_is_counted,
    keys_are_listed_newest_first,
);
