//! What both stores have to do.

use std::fs;
use std::io::ErrorKind;

use bytes::Bytes;
use filepress_server::blobs::{BlobRef, Blobs, StoredBlob};
use filepress_server::clock::{Clock, SystemClock, Timestamp};
use filepress_server::upload_state::UploadState;
use filepress_wire::SNIFF_BYTES;
use futures_util::TryStreamExt;
use tempfile::TempDir;

use crate::s3;

const LONG_AGO: Timestamp = Timestamp(0);
const FAR_AHEAD: Timestamp = Timestamp(i64::MAX);
/// More than two parts of an upload, and more than five portions of a download.
const LONG: usize = 21_000_001;

pub(crate) struct Fixture {
    pub(crate) blobs: Blobs,
    pub(crate) folder: TempDir,
    pub(crate) server: Option<s3::Server>,
}

impl Fixture {
    async fn folder() -> Self {
        Self::open(None).await
    }

    pub(crate) async fn objects() -> Self {
        Self::open(Some(s3::Server::start().await)).await
    }

    pub(crate) async fn open(server: Option<s3::Server>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = server.as_ref().map(s3::Server::config);
        let blobs = Blobs::open(folder.path(), config.as_ref(), SystemClock.now()).unwrap();
        Self { blobs, folder, server }
    }

    pub(crate) async fn store(&self, bytes: &[u8], chunk: usize) -> StoredBlob {
        let mut incoming = self.blobs.receive(bytes.len() as u64).await.unwrap();
        for part in bytes.chunks(chunk) {
            incoming.write(&Bytes::copy_from_slice(part)).await.unwrap();
        }
        assert_eq!(incoming.size(), bytes.len() as u64);
        incoming.commit().await.unwrap()
    }

    pub(crate) async fn read(&self, name: &str, start: usize, length: usize) -> std::io::Result<Vec<u8>> {
        let chunks = self.blobs.read(name, start as u64, length as u64).await?;
        chunks.try_fold(Vec::new(), |all, chunk| std::future::ready(Ok([&all[..], &chunk].concat()))).await
    }

    async fn all(&self) -> Vec<String> {
        let mut names = self.blobs.collect_expired(FAR_AHEAD).await.unwrap();
        names.sort();
        names
    }
}

/// Bytes that repeat after a prime number, so that a portion written twice or left out is seen.
pub(crate) fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|index| (index % 251) as u8).collect()
}

pub(crate) fn reference(stored: &StoredBlob) -> BlobRef<'_> {
    BlobRef { name: &stored.name, size: stored.size, sha256: &stored.sha256 }
}

async fn an_upload_is_stored_and_hashed(fixture: Fixture) {
    let abc = fixture.store(b"abc", 1).await;
    // FIPS 180-2, appendix B.1.
    assert_eq!(abc.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!((abc.size, abc.head.as_slice()), (3, b"abc".as_slice()));
    assert_eq!(fixture.read(&abc.name, 0, 3).await.unwrap(), b"abc");

    let long = pattern(LONG);
    let mut hashes = Vec::new();
    for chunk in [1000, 1 << 20, LONG] {
        let stored = fixture.store(&long, chunk).await;
        assert!(fixture.read(&stored.name, 0, LONG).await.unwrap() == long);
        assert_eq!((stored.size, &stored.head[..]), (LONG as u64, &long[..SNIFF_BYTES]));
        hashes.push(stored.sha256);
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1);
    // Exactly two parts, and nothing at all.
    assert_eq!(fixture.store(&long[..16 << 20], 1 << 20).await.size, 16 << 20);
    assert_eq!(fixture.store(b"", 1).await.size, 0);
}

async fn any_range_is_read(fixture: Fixture) {
    let long = pattern(LONG);
    let stored = fixture.store(&long, 1 << 20).await;
    let portion = 4 << 20;
    for (start, length) in [
        (0, 1),
        (LONG - 1, 1),
        (portion - 1, 2),
        (portion, portion),
        (portion - 1, 2 * portion + 2),
        (5, LONG - 5),
    ] {
        assert!(fixture.read(&stored.name, start, length).await.unwrap() == long[start..start + length]);
    }
    let missing = fixture.read("00000000-0000-4000-8000-000000000000", 0, 1).await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
}

async fn an_interrupted_upload_is_never_seen(fixture: Fixture) {
    for length in [0, 10, 3_000_000, LONG] {
        let mut cut_off = fixture.blobs.receive(length as u64 + 1).await.unwrap();
        cut_off.write(&Bytes::from(pattern(length))).await.unwrap();
        assert_eq!(fixture.all().await, Vec::<String>::new());
        drop(cut_off);
    }
    assert_eq!(fixture.all().await, Vec::<String>::new());
}

async fn an_upload_of_another_size_is_never_seen(fixture: Fixture) {
    for length in [0, 3, 3_000_000, LONG] {
        let mut longer = fixture.blobs.receive(length as u64).await.unwrap();
        longer.write(&Bytes::from(pattern(length))).await.unwrap();
        let error = longer.write(&Bytes::from_static(b"x")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        drop(longer);
        let mut shorter = fixture.blobs.receive(length as u64 + 1).await.unwrap();
        shorter.write(&Bytes::from(pattern(length))).await.unwrap();
        assert_eq!(shorter.commit().await.unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(fixture.all().await, Vec::<String>::new());
    }
}

async fn the_output_of_a_conversion_is_stored(fixture: Fixture) {
    let scratch = fixture.blobs.scratch("task", 1).await.unwrap();
    let output = scratch.path().join("output");
    let bytes = pattern(LONG);
    fs::write(&output, &bytes).unwrap();
    let adopted = fixture.blobs.store_output(&output).await.unwrap();
    assert!(fixture.read(&adopted.name, 0, LONG).await.unwrap() == bytes);
    let received = fixture.store(&bytes, 1 << 20).await;
    assert_eq!((adopted.size, adopted.sha256, adopted.head), (received.size, received.sha256, received.head));
    scratch.delete().await;
    assert_eq!(fs::read_dir(fixture.folder.path().join("scratch")).unwrap().count(), 0);
}

async fn only_a_regular_file_is_stored(fixture: Fixture) {
    let scratch = fixture.blobs.scratch("task", 1).await.unwrap();
    let secret = fixture.folder.path().join("secret");
    fs::write(&secret, b"secret").unwrap();
    let link = scratch.path().join("link");
    std::os::unix::fs::symlink(&secret, &link).unwrap();
    let pipe = scratch.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    for path in [link, pipe, scratch.path().to_owned(), scratch.path().join("missing")] {
        assert!(fixture.blobs.store_output(&path).await.is_err(), "{}", path.display());
    }
    assert_eq!(fs::read(&secret).unwrap(), b"secret");
    assert_eq!(fixture.all().await, Vec::<String>::new());
}

async fn a_duplicate_outlives_the_original(fixture: Fixture) {
    let first = fixture.store(b"abc", 3).await;
    let second = fixture.blobs.duplicate(reference(&first)).await.unwrap();
    assert_ne!(first.name, second);
    fixture.blobs.remove(&first.name).await.unwrap();
    assert_eq!(fixture.all().await, std::slice::from_ref(&second));
    assert_eq!(fixture.read(&second, 0, 3).await.unwrap(), b"abc");
    fixture.blobs.remove(&first.name).await.unwrap();
    let missing = fixture.blobs.duplicate(reference(&first)).await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
}

async fn an_input_is_a_file_that_tools_can_read(fixture: Fixture) {
    let bytes = pattern(LONG);
    let (long, short) = (fixture.store(&bytes, 1 << 20).await, fixture.store(b"abc", 3).await);
    let scratch = fixture.blobs.scratch("task", 1).await.unwrap();
    let first = fixture.blobs.fetch(reference(&long), &scratch, 0).await.unwrap();
    let second = fixture.blobs.fetch(reference(&short), &scratch, 1).await.unwrap();
    assert!(fs::read(&first).unwrap() == bytes);
    assert_eq!(fs::read(&second).unwrap(), b"abc");
    // What a tool may write is another folder, and empty.
    assert!(!first.starts_with(scratch.path()));
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    scratch.delete().await;
    assert_eq!(fs::read_dir(fixture.folder.path().join("scratch")).unwrap().count(), 0);
    assert_eq!(fixture.all().await.len(), 2);
}

async fn an_upload_goes_on_from_what_was_recorded(fixture: Fixture) {
    const MIB: usize = 1 << 20;
    for ends in [vec![3], vec![1, 1, 3], vec![8 * MIB, 16 * MIB], vec![9 * MIB, 16 * MIB, 17 * MIB, LONG]] {
        let bytes = pattern(*ends.last().unwrap());
        let mut state = UploadState::default();
        for end in ends {
            let mut partial = fixture.blobs.open_partial("upload", state.clone()).await.unwrap();
            assert_eq!(partial.size(), state.received);
            for chunk in bytes[state.received as usize..end].chunks(MIB) {
                partial.write(&Bytes::copy_from_slice(chunk)).await.unwrap();
            }
            state = partial.sync().await.unwrap();
            partial.recorded().await;
            assert_eq!(state.received, end as u64);
            assert_eq!(fixture.blobs.kept("upload", state.received).await.unwrap(), end as u64);
            // A request that is given up before it has recorded anything changes nothing.
            let mut given_up = fixture.blobs.open_partial("upload", state.clone()).await.unwrap();
            given_up.write(&Bytes::from_static(b"other bytes")).await.unwrap();
        }
        let mut partial = fixture.blobs.open_partial("upload", state.clone()).await.unwrap();
        let stored = partial.publish().await.unwrap();
        assert!(fixture.read(&stored.name, 0, bytes.len()).await.unwrap() == bytes);
        let expected = fixture.store(&bytes, MIB).await;
        assert_eq!(
            (stored.size, stored.sha256, stored.head),
            (expected.size, expected.sha256, expected.head)
        );
        if let Some(objects) = &state.objects {
            fixture.blobs.discard(objects, true).await.unwrap();
        }
        fixture.blobs.remove_partial("upload").await.unwrap();
        let mut contents = fixture.all().await;
        contents.retain(|name| ![&stored.name, &expected.name].contains(&name));
        assert_eq!(contents, Vec::<String>::new());
        for name in [stored.name, expected.name] {
            fixture.blobs.remove(&name).await.unwrap();
        }
    }
}

async fn contents_are_found_by_their_age(fixture: Fixture) {
    let stored = fixture.store(b"abc", 3).await;
    assert_eq!(fixture.blobs.collect_expired(LONG_AGO).await.unwrap(), Vec::<String>::new());
    assert_eq!(fixture.all().await, [stored.name]);
}

macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        mod on_a_folder {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    super::$name(super::Fixture::folder().await).await;
                }
            )+
        }

        mod on_s3 {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    super::$name(super::Fixture::objects().await).await;
                }
            )+
        }
    };
}

on_both!(
    an_upload_is_stored_and_hashed,
    any_range_is_read,
    an_interrupted_upload_is_never_seen,
    an_upload_of_another_size_is_never_seen,
    the_output_of_a_conversion_is_stored,
    only_a_regular_file_is_stored,
    a_duplicate_outlives_the_original,
    an_input_is_a_file_that_tools_can_read,
    contents_are_found_by_their_age,
    an_upload_goes_on_from_what_was_recorded,
);
