//! API keys: what is kept of them, when they were used, and the log of what happened.

use std::time::Duration;

use futures_util::TryStreamExt;

use crate::fixture::{Fixture, HOUR, START};
use filepress_server::scopes::{Scope, Scopes};
use filepress_server::store::records::{
    KEY_PATH_BYTES, KEY_USE_RESOLUTION, Key, KeyEvent, KeyEventKind, KeyRequest, KeyRights,
};

impl Fixture {
    async fn key(&self, number: u8, rights: &KeyRights) -> Key {
        let prefix = format!("fp_key{number}");
        self.store.add_key(&self.user, &prefix, &[number; 32], rights, START).await.unwrap()
    }

    async fn found(&self, number: u8) -> Option<Key> {
        let (key, user) = self.store.key_by_hash(&[number; 32]).await.unwrap()?;
        assert_eq!(
            (&user.id, user.email.as_str(), user.name.as_str()),
            (&self.user, "one@example.org", "One")
        );
        Some(key)
    }
}

fn used(key: &Key, minutes: u32) -> KeyEvent {
    let request = KeyRequest {
        method: "POST".to_owned(),
        path: "/v1/files/1".to_owned(),
        status: 201,
        address: Some("192.0.2.1".to_owned()),
        request_id: format!("request-{minutes}"),
    };
    let at = START.after(Duration::from_secs(60) * minutes);
    KeyEvent { key: key.id.clone(), at, kind: KeyEventKind::Used, request: Some(request) }
}

async fn a_key_keeps_its_rights_and_is_found_by_its_hash(fixture: Fixture) {
    let rights = KeyRights {
        name: "the shop’s uploads".to_owned(),
        scopes: "files:write,tasks:read".parse().unwrap(),
        expires_at: Some(START.after(HOUR)),
    };
    let limited = fixture.key(1, &rights).await;
    let whole = fixture.key(2, &KeyRights::default()).await;
    assert_eq!(limited.rights, rights);
    assert_eq!(whole.rights.scopes, Scopes::ALL);
    assert!(!limited.rights.scopes.allow(Scope::FilesRead) && limited.rights.scopes.allow(Scope::FilesWrite));
    assert_eq!(
        (fixture.found(1).await, fixture.found(2).await),
        (Some(limited.clone()), Some(whole.clone()))
    );
    assert_eq!(fixture.store.key_by_hash(&[3; 32]).await.unwrap(), None);
    let mut ids: Vec<_> = fixture.store.keys().await.unwrap().into_iter().map(|(key, _)| key.id).collect();
    let mut expected = vec![limited.id, whole.id];
    ids.sort();
    expected.sort();
    assert_eq!(ids, expected);
}

async fn a_key_is_revoked_once_and_still_found(fixture: Fixture) {
    let (first, second) =
        (fixture.key(1, &KeyRights::default()).await, fixture.key(2, &KeyRights::default()).await);
    let at = START.after(HOUR);
    assert!(fixture.store.revoke_key("fp_key1", at).await.unwrap());
    assert!(!fixture.store.revoke_key("fp_key1", at.after(HOUR)).await.unwrap());
    assert!(!fixture.store.revoke_key("fp_unknown", at).await.unwrap());
    assert_eq!(fixture.found(1).await.unwrap().revoked_at, Some(at));
    assert_eq!(fixture.found(2).await.unwrap().revoked_at, None);
    assert!(fixture.store.revoke_key(&second.id, at).await.unwrap());
    assert_eq!(fixture.found(2).await.unwrap().revoked_at, Some(at));
    assert_ne!(first.id, second.id);
}

async fn the_last_use_moves_in_steps(fixture: Fixture) {
    let key = fixture.key(1, &KeyRights::default()).await;
    assert_eq!(key.used_at, None);
    let touch = async |now| {
        let key = fixture.found(1).await.unwrap();
        fixture.store.touch_key(&key, now).await.unwrap();
        fixture.found(1).await.unwrap().used_at
    };
    assert_eq!(touch(START).await, Some(START));
    let early = START.after(KEY_USE_RESOLUTION - Duration::from_nanos(1));
    assert_eq!(touch(early).await, Some(START));
    let due = START.after(KEY_USE_RESOLUTION);
    assert_eq!(touch(due).await, Some(due));
    // Another server that read the key before does not move the time back.
    fixture.store.touch_key(&key, START.after(Duration::from_secs(1))).await.unwrap();
    assert_eq!(fixture.found(1).await.unwrap().used_at, Some(due));
}

async fn the_log_has_what_happened_until_it_is_swept(fixture: Fixture) {
    let (one, two) =
        (fixture.key(1, &KeyRights::default()).await, fixture.key(2, &KeyRights::default()).await);
    let refused = KeyEvent { kind: KeyEventKind::Refused, ..used(&one, 5) };
    let calls = [used(&one, 1), used(&two, 2), refused.clone()];
    for event in &calls {
        fixture.store.log_key(event).await.unwrap();
    }
    assert!(fixture.store.revoke_key("fp_key1", START.after(HOUR)).await.unwrap());
    let log = async |key: Option<&str>, since| {
        fixture.store.key_log(key, since).try_collect::<Vec<_>>().await.unwrap()
    };
    let kinds =
        |events: &[(KeyEvent, String)]| events.iter().map(|(event, _)| event.kind).collect::<Vec<_>>();
    use KeyEventKind::{Created, Refused, Revoked, Used};
    assert_eq!(kinds(&log(None, START).await), [Created, Created, Used, Used, Refused, Revoked]);
    for name in ["fp_key1", &one.id] {
        let own = log(Some(name), START).await;
        assert_eq!(kinds(&own), [Created, Used, Refused, Revoked]);
        assert_eq!(own[1], (calls[0].clone(), "fp_key1".to_owned()));
        assert_eq!((own[0].0.request.as_ref(), own[3].0.at), (None, START.after(HOUR)));
    }
    assert_eq!(log(None, refused.at).await[0].0, refused);
    fixture.store.sweep_key_log(refused.at).await.unwrap();
    assert_eq!(kinds(&log(None, START).await), [Refused, Revoked]);
}

async fn a_long_log_is_swept_in_batches(fixture: Fixture) {
    let key = fixture.key(1, &KeyRights::default()).await;
    for minute in 0..1001 {
        fixture.store.log_key(&used(&key, minute)).await.unwrap();
    }
    // More than two pages, of which some entries have the same time.
    let twin = KeyEvent { kind: KeyEventKind::Refused, ..used(&key, 499) };
    fixture.store.log_key(&twin).await.unwrap();
    for name in [None, Some("fp_key1")] {
        let all: Vec<_> = fixture.store.key_log(name, START).try_collect().await.unwrap();
        let mut minutes: Vec<_> = all.iter().map(|(event, _)| event.at).collect();
        assert_eq!(minutes.len(), 1003, "with its creation and the twin");
        assert!(minutes.is_sorted());
        minutes.dedup();
        assert_eq!(minutes.len(), 1001);
    }
    fixture.store.sweep_key_log(used(&key, 1000).at).await.unwrap();
    let left = fixture.store.key_log(None, START).try_collect::<Vec<_>>().await.unwrap();
    assert_eq!(left.into_iter().map(|(event, _)| event).collect::<Vec<_>>(), [used(&key, 1000)]);
}

async fn a_long_path_is_cut_between_characters(fixture: Fixture) {
    let key = fixture.key(1, &KeyRights::default()).await;
    for (path, kept) in [
        ("/".repeat(KEY_PATH_BYTES), KEY_PATH_BYTES),
        ("/".repeat(KEY_PATH_BYTES + 1), KEY_PATH_BYTES),
        (format!("{}ä", "/".repeat(KEY_PATH_BYTES - 1)), KEY_PATH_BYTES - 1),
    ] {
        let mut event = used(&key, 1);
        event.request.as_mut().unwrap().path.clone_from(&path);
        fixture.store.log_key(&event).await.unwrap();
        let (logged, _) =
            fixture.store.key_log(None, event.at).try_collect::<Vec<_>>().await.unwrap().pop().unwrap();
        assert_eq!(logged.request.unwrap().path, path[..kept]);
        fixture.store.sweep_key_log(event.at.after(HOUR)).await.unwrap();
    }
}

async fn an_entry_that_the_database_cannot_keep_is_an_error(fixture: Fixture) {
    let key = fixture.key(1, &KeyRights::default()).await;
    let unknown = KeyEvent { key: "no such key".to_owned(), ..used(&key, 1) };
    assert!(fixture.store.log_key(&unknown).await.is_err());
    assert!(
        fixture
            .store
            .add_key(&fixture.user, "fp_again", &[1; 32], &KeyRights::default(), START)
            .await
            .is_err(),
        "the hash is unique"
    );
    assert_eq!(
        fixture.store.key_log(None, START).try_collect::<Vec<_>>().await.unwrap().len(),
        1,
        "and nothing is half written"
    );
}

on_both!(
    a_key_keeps_its_rights_and_is_found_by_its_hash,
    a_key_is_revoked_once_and_still_found,
    the_last_use_moves_in_steps,
    the_log_has_what_happened_until_it_is_swept,
    a_long_log_is_swept_in_batches,
    a_long_path_is_cut_between_characters,
    an_entry_that_the_database_cannot_keep_is_an_error,
);
