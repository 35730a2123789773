//! What only an object store has: parts of uploads, bytes that change behind the service's back, and a server that is gone.

use std::fs;
use std::io::ErrorKind;
use std::time::Duration;

use bytes::Bytes;
use filepress_server::blobs::BlobRef;

use crate::both::{Fixture, pattern, reference};

/// More than S3 takes with one request.
const TOO_LARGE: u64 = (5 << 30) + 1;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_parts_of_an_interrupted_upload_are_deleted() {
    let fixture = Fixture::objects().await;
    let server = fixture.server.as_ref().unwrap();
    let before = server.kept();
    let mut cut_off = fixture.blobs.receive(TOO_LARGE).await.unwrap();
    cut_off.write(&Bytes::from(pattern(30_000_000))).await.unwrap();
    // The first part has arrived, as there may be only two under way.
    assert!(server.kept().len() > before.len());
    drop(cut_off);
    let waited = tokio::time::timeout(Duration::from_secs(120), async {
        while server.kept() != before {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    waited.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_object_that_is_not_what_was_stored_is_not_converted() {
    let fixture = Fixture::objects().await;
    let stored = fixture.store(b"abc", 3).await;
    let scratch = fixture.blobs.scratch("task", 1).await.unwrap();
    let other = fixture.store(b"abd", 3).await;
    let wrong = BlobRef { name: &other.name, ..reference(&stored) };
    let error = fixture.blobs.fetch(wrong, &scratch, 0).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    let longer = BlobRef { size: 4, ..reference(&stored) };
    assert!(fixture.blobs.fetch(longer, &scratch, 1).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_gone_is_a_temporary_error() {
    let mut fixture = Fixture::objects().await;
    let stored = fixture.store(b"abc", 3).await;
    fixture.server.as_mut().unwrap().kill().await;
    let mut incoming = fixture.blobs.receive(3).await.unwrap();
    incoming.write(&Bytes::from_static(b"abd")).await.unwrap();
    let (read, written) = tokio::join!(fixture.read(&stored.name, 0, 3), incoming.commit());
    assert_eq!(read.unwrap_err().kind(), ErrorKind::NotConnected);
    assert_eq!(written.unwrap_err().kind(), ErrorKind::NotConnected);
    fixture.server.as_mut().unwrap().resume().await;
    assert_eq!(fixture.read(&stored.name, 0, 3).await.unwrap(), b"abc");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_kept_on_this_machine() {
    let fixture = Fixture::objects().await;
    let stored = fixture.store(&pattern(9_000_000), 1 << 20).await;
    for name in ["blobs", "incoming", "scratch"] {
        assert_eq!(fs::read_dir(fixture.folder.path().join(name)).unwrap().count(), 0);
    }
    assert!(fixture.blobs.is_remote());
    assert_eq!(fixture.read(&stored.name, 0, 9_000_000).await.unwrap().len(), 9_000_000);
}
