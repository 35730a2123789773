//! How far resumable uploads are.

use filepress_server::store::EndedUpload;
use filepress_server::upload_state::{ObjectUpload, UploadState};

use crate::fixture::{Fixture, HOUR, START, received};

fn of_folder(received: u64) -> UploadState {
    UploadState { received, objects: None }
}

fn of_objects(received: u64, parts: &[&str], rest: Option<&str>) -> UploadState {
    let objects = ObjectUpload {
        name: "name".to_owned(),
        multipart: (!parts.is_empty()).then(|| "multipart".to_owned()),
        parts: parts.iter().copied().map(str::to_owned).collect(),
        hash: format!("hash after {}", parts.len()),
        rest: rest.map(str::to_owned),
    };
    UploadState { received, objects: Some(objects) }
}

impl Fixture {
    async fn awaited(&self) -> String {
        self.store.add_file(self.new_file(START.after(HOUR)), START).await.unwrap().id
    }
}

async fn what_came_is_known_until_the_file_has_its_content(fixture: Fixture) {
    let store = &fixture.store;
    let (file, other) = (fixture.awaited().await, fixture.awaited().await);
    let (claim, state) = store.claim_upload(&file).await.unwrap().unwrap();
    assert_eq!(state, UploadState::default());
    for count in [1, 2, 1] {
        assert!(store.record_upload(&claim, &of_folder(count)).await.unwrap());
    }
    let (claim, state) = fixture.place.open().await.claim_upload(&file).await.unwrap().unwrap();
    assert_eq!(state, of_folder(1));
    assert_eq!(store.claim_upload(&other).await.unwrap().unwrap().1, UploadState::default());
    assert_eq!(store.claim_upload("nothing").await.unwrap(), None);
    let all = [file.clone(), other.clone(), "nothing".to_owned()];
    assert_eq!(store.not_awaited(&all).await.unwrap(), ["nothing"]);
    assert_eq!(store.not_awaited(&[]).await.unwrap(), Vec::<String>::new());
    assert_eq!(store.ended_uploads(None).await.unwrap(), []);

    store.upload(&file, received(), START.after(HOUR), START).await.unwrap();
    assert!(!store.record_upload(&claim, &of_folder(2)).await.unwrap());
    assert_eq!(store.claim_upload(&file).await.unwrap(), None);
    let mut left = store.not_awaited(&all).await.unwrap();
    left.sort();
    let mut expected = [file.clone(), "nothing".to_owned()];
    expected.sort();
    assert_eq!(left, expected);
    assert!(!store.discard_upload(&file).await.unwrap());
    assert!(store.file_by_id(&file).await.unwrap().is_some());
    let ended = EndedUpload { file: file.clone(), objects: None, is_complete: false };
    assert_eq!(store.ended_uploads(None).await.unwrap(), [ended]);
    store.forget_upload(&file).await.unwrap();
    assert_eq!(store.ended_uploads(None).await.unwrap(), []);
}

async fn a_claim_ends_when_there_is_another(fixture: Fixture) {
    let store = &fixture.store;
    let file = fixture.awaited().await;
    let (first, _) = store.claim_upload(&file).await.unwrap().unwrap();
    assert!(store.record_upload(&first, &of_objects(9, &["a"], Some("r1"))).await.unwrap());
    let (second, state) = store.claim_upload(&file).await.unwrap().unwrap();
    assert_eq!(state, of_objects(9, &["a"], Some("r1")));
    assert!(!store.record_upload(&first, &of_objects(20, &["a", "x"], None)).await.unwrap());
    assert_eq!(store.claim_upload(&file).await.unwrap().unwrap().1, state, "nothing of it was kept");
    assert!(!store.record_upload(&second, &of_objects(20, &["a", "y"], None)).await.unwrap(), "a third one");
}

async fn parts_come_in_their_order(fixture: Fixture) {
    let store = &fixture.store;
    let file = fixture.awaited().await;
    let parts: Vec<String> = (0..25).map(|number| format!("part {number}")).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    for count in [0, 1, 3, 12, 25] {
        let (claim, _) = store.claim_upload(&file).await.unwrap().unwrap();
        let state = of_objects(count as u64, &parts[..count], (count % 2 == 0).then_some("rest"));
        assert!(store.record_upload(&claim, &state).await.unwrap());
        assert_eq!(store.claim_upload(&file).await.unwrap().unwrap().1, state);
    }
    // The store has lost them: it begins again.
    let (claim, _) = store.claim_upload(&file).await.unwrap().unwrap();
    assert!(store.record_upload(&claim, &UploadState::default()).await.unwrap());
    assert!(store.record_upload(&claim, &of_objects(8, &["other"], None)).await.unwrap());
    assert_eq!(store.claim_upload(&file).await.unwrap().unwrap().1, of_objects(8, &["other"], None));
}

async fn what_is_left_of_an_upload_is_found_when_its_file_is_gone(fixture: Fixture) {
    let store = &fixture.store;
    let (discarded, expired, complete) =
        (fixture.awaited().await, fixture.awaited().await, fixture.awaited().await);
    for (file, rest) in [(&discarded, "r1"), (&expired, "r2"), (&complete, "r3")] {
        let (claim, _) = store.claim_upload(file).await.unwrap().unwrap();
        assert!(store.record_upload(&claim, &of_objects(9, &["a"], Some(rest))).await.unwrap());
    }
    // Neither the rest nor what the upload becomes is an orphan while anything refers to it.
    let names: Vec<String> = ["name", "r1", "r2", "r3", "r4"].map(str::to_owned).into();
    assert_eq!(store.orphans(&names).await.unwrap(), ["r4"]);
    let content = filepress_server::store::FileContent { blob: "name".to_owned(), ..received() };
    store.upload(&complete, content, START.after(3 * HOUR), START).await.unwrap();
    assert!(store.discard_upload(&discarded).await.unwrap());
    assert!(!store.discard_upload(&discarded).await.unwrap());
    store.sweep(START.after(HOUR)).await.unwrap();
    assert!(store.file_by_id(&expired).await.unwrap().is_none());
    let mut ended = store.ended_uploads(None).await.unwrap();
    ended.sort_by_key(|upload| upload.objects.as_ref().unwrap().rest.clone());
    let found: Vec<_> = ended.iter().map(|upload| (&upload.file, upload.is_complete)).collect();
    assert_eq!(found, [(&discarded, false), (&expired, false), (&complete, true)]);
    assert_eq!(ended[0].objects.as_ref().unwrap().multipart.as_deref(), Some("multipart"));
    let one = store.ended_uploads(Some(&expired)).await.unwrap();
    assert_eq!(one.iter().map(|upload| &upload.file).collect::<Vec<_>>(), [&expired]);
    for upload in ended {
        store.forget_upload(&upload.file).await.unwrap();
    }
    assert_eq!(store.orphans(&names).await.unwrap().len(), 4);
}

on_both!(
    what_came_is_known_until_the_file_has_its_content,
    a_claim_ends_when_there_is_another,
    parts_come_in_their_order,
    what_is_left_of_an_upload_is_found_when_its_file_is_gone,
);
