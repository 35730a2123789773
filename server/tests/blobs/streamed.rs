//! Uploads of a known size that an object store receives with one request, while they come.

use std::io::{self, ErrorKind};
use std::time::Duration;

use bytes::Bytes;
use filepress_server::blobs::{IncomingBlob, StoredBlob};
use http::StatusCode;
use tokio::time::{sleep, timeout};

use crate::both::{Fixture, pattern};
use crate::s3;

/// More than a part, which is kept until it has arrived.
const LONG: usize = 21_000_001;
const HALF: usize = 12_000_000;

async fn guarded() -> Fixture {
    let mut server = s3::Server::start().await;
    server.guard().await;
    Fixture::open(Some(server)).await
}

impl Fixture {
    fn s3(&self) -> &s3::Server {
        self.server.as_ref().unwrap()
    }

    /// An upload of [`LONG`] bytes of which so many have come.
    async fn begun(&self, bytes: usize) -> IncomingBlob {
        let mut incoming = self.blobs.receive(LONG as u64).await.unwrap();
        write(&mut incoming, &pattern(LONG)[..bytes]).await.unwrap();
        incoming
    }

    /// An upload from its beginning to its end.
    async fn sent(&self) -> io::Result<StoredBlob> {
        let mut incoming = self.blobs.receive(LONG as u64).await?;
        write(&mut incoming, &pattern(LONG)).await?;
        incoming.commit().await
    }

    /// Waits until the server keeps this many files, notes of its own included.
    async fn keeps(&self, files: usize) {
        let waited = timeout(Duration::from_secs(120), async {
            while self.s3().kept().len() != files {
                sleep(Duration::from_millis(20)).await;
            }
        });
        waited.await.unwrap();
    }
}

async fn write(incoming: &mut IncomingBlob, bytes: &[u8]) -> io::Result<()> {
    for chunk in bytes.chunks(100_000) {
        incoming.write(&Bytes::copy_from_slice(chunk)).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_there_when_it_is_committed_and_not_before() {
    let fixture = Fixture::objects().await;
    let mut incoming = fixture.begun(HALF).await;
    // The server is writing one object, of which it has no parts.
    fixture.keeps(1).await;
    assert_eq!((fixture.s3().parts(), fixture.s3().names().len()), (0, 0));
    write(&mut incoming, &pattern(LONG)[HALF..]).await.unwrap();
    assert_eq!(fixture.s3().names().len(), 0);
    let stored = incoming.commit().await.unwrap();
    assert_eq!(fixture.s3().names().into_iter().collect::<Vec<_>>(), [stored.name.as_str()]);
    assert!(fixture.read(&stored.name, 0, LONG).await.unwrap() == pattern(LONG));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_given_up_leaves_nothing() {
    let fixture = Fixture::objects().await;
    // The last one has all bytes, but was not committed.
    for bytes in [HALF, LONG - 1, LONG] {
        let incoming = fixture.begun(bytes).await;
        fixture.keeps(1).await;
        drop(incoming);
        fixture.keeps(0).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_comes_slowly_is_sent_in_parts() {
    let fixture = Fixture::objects().await;
    let mut incoming = fixture.begun(1).await;
    sleep(Duration::from_secs(9)).await;
    write(&mut incoming, &pattern(LONG)[1..]).await.unwrap();
    assert!(fixture.s3().parts() > 0);
    let stored = incoming.commit().await.unwrap();
    assert!(fixture.read(&stored.name, 0, LONG).await.unwrap() == pattern(LONG));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_meanwhile_is_a_temporary_error() {
    let mut fixture = Fixture::objects().await;
    let mut incoming = fixture.begun(HALF).await;
    fixture.keeps(1).await;
    fixture.server.as_mut().unwrap().kill().await;
    let written = write(&mut incoming, &pattern(LONG)[HALF..]).await;
    let error = match written {
        Ok(()) => incoming.commit().await.unwrap_err(),
        Err(error) => error,
    };
    assert_eq!(error.kind(), ErrorKind::NotConnected, "{error}");
    fixture.server.as_mut().unwrap().resume().await;
    let stored = fixture.sent().await.unwrap();
    assert_eq!(fixture.s3().names().into_iter().collect::<Vec<_>>(), [stored.name]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_busy_at_first_is_asked_again() {
    let fixture = guarded().await;
    for status in
        [StatusCode::SERVICE_UNAVAILABLE, StatusCode::INTERNAL_SERVER_ERROR, StatusCode::TOO_MANY_REQUESTS]
    {
        // At once: while it waits for bytes, those that are kept may all be on their way.
        fixture.s3().refuse(status, 2, 0);
        let stored = fixture.sent().await.unwrap();
        assert_eq!(fixture.s3().to_refuse(), 0);
        assert!(fixture.read(&stored.name, 0, LONG).await.unwrap() == pattern(LONG));
        fixture.blobs.remove(&stored.name).await.unwrap();
    }
    assert_eq!(fixture.s3().objects(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_gives_up_later_or_is_elsewhere_is_a_temporary_error() {
    let fixture = guarded().await;
    for (status, after) in [
        (StatusCode::SERVICE_UNAVAILABLE, HALF),
        (StatusCode::SERVICE_UNAVAILABLE, LONG),
        (StatusCode::BAD_REQUEST, HALF),
        (StatusCode::TEMPORARY_REDIRECT, LONG),
    ] {
        fixture.s3().refuse(status, 1, after);
        let error = fixture.sent().await.map(|stored| stored.name).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotConnected, "{status} {after} {error}");
        assert_eq!(fixture.s3().to_refuse(), 0);
        assert_eq!(fixture.s3().objects(), 0);
    }
    fixture.s3().refuse(StatusCode::FORBIDDEN, 1, LONG);
    let error = fixture.sent().await.map(|stored| stored.name).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    fixture.sent().await.unwrap();
    assert_eq!(fixture.s3().objects(), 1);
}
