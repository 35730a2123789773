//! How far resumable uploads are.

use crate::fixture::{Fixture, HOUR, START, received};

async fn what_came_is_known_until_the_file_has_its_content(fixture: Fixture) {
    let store = &fixture.store;
    let file = store.add_file(fixture.new_file(START.after(HOUR)), START).await.unwrap();
    let other = store.add_file(fixture.new_file(START.after(HOUR)), START).await.unwrap();
    assert_eq!(store.received(&file.id).await.unwrap(), 0);
    for count in [1, 2, 1] {
        assert!(store.set_received(&file.id, count).await.unwrap());
        assert_eq!(fixture.place.open().await.received(&file.id).await.unwrap(), count);
    }
    assert_eq!(store.received(&other.id).await.unwrap(), 0);
    assert!(!store.set_received("nothing", 1).await.unwrap());
    let all = [file.id.clone(), other.id.clone(), "nothing".to_owned()];
    assert_eq!(store.not_awaited(&all).await.unwrap(), ["nothing"]);
    assert_eq!(store.not_awaited(&[]).await.unwrap(), Vec::<String>::new());

    store.upload(&file.id, received(), START.after(HOUR), START).await.unwrap();
    assert!(!store.set_received(&file.id, 2).await.unwrap());
    let mut left = store.not_awaited(&all).await.unwrap();
    left.sort();
    let mut expected = [file.id.clone(), "nothing".to_owned()];
    expected.sort();
    assert_eq!(left, expected);
    assert!(!store.discard_upload(&file.id).await.unwrap());
    assert!(store.file_by_id(&file.id).await.unwrap().is_some());
}

async fn an_upload_is_discarded_with_its_file(fixture: Fixture) {
    let store = &fixture.store;
    let file = store.add_file(fixture.new_file(START.after(HOUR)), START).await.unwrap();
    assert!(store.set_received(&file.id, 2).await.unwrap());
    assert!(store.discard_upload(&file.id).await.unwrap());
    assert!(!store.discard_upload(&file.id).await.unwrap());
    assert_eq!(store.received(&file.id).await.unwrap(), 0);
    assert!(store.file_by_id(&file.id).await.unwrap().is_none());
    // One that expires goes with its file.
    let file = store.add_file(fixture.new_file(START.after(HOUR)), START).await.unwrap();
    assert!(store.set_received(&file.id, 2).await.unwrap());
    store.sweep(START.after(HOUR)).await.unwrap();
    assert_eq!(store.received(&file.id).await.unwrap(), 0);
    assert_eq!(store.not_awaited(std::slice::from_ref(&file.id)).await.unwrap(), [file.id]);
}

on_both!(what_came_is_known_until_the_file_has_its_content, an_upload_is_discarded_with_its_file);
