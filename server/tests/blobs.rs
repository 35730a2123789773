//! The blob store: a file under a name is complete and durable, or does not exist.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use filepress_server::blobs::Blobs;
use filepress_server::clock::Timestamp;
use filepress_wire::SNIFF_BYTES;
use tempfile::TempDir;

const LONG_AGO: Timestamp = Timestamp(0);
const FAR_AHEAD: Timestamp = Timestamp(i64::MAX);

fn open() -> (TempDir, Blobs) {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(folder.path()).unwrap();
    (folder, blobs)
}

/// Every file below a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all.sort();
    all
}

/// Waits until a folder is empty.
async fn emptied(folder: &Path) {
    let waited = tokio::time::timeout(Duration::from_secs(120), async {
        while fs::read_dir(folder).unwrap().next().is_some() {
            tokio::task::yield_now().await;
        }
    });
    waited.await.unwrap();
}

/// Bytes that repeat after a prime number, so that a portion written twice or left out is seen.
fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|index| (index % 251) as u8).collect()
}

async fn store(blobs: &Blobs, bytes: &[u8], chunk: usize) -> filepress_server::blobs::StoredBlob {
    let mut incoming = blobs.receive().await.unwrap();
    for part in bytes.chunks(chunk) {
        incoming.write(&Bytes::copy_from_slice(part)).await.unwrap();
    }
    assert_eq!(incoming.size(), bytes.len() as u64);
    incoming.commit().await.unwrap()
}

#[tokio::test]
async fn an_upload_is_stored_and_hashed() {
    let (folder, blobs) = open();
    let abc = store(&blobs, b"abc", 1).await;
    // FIPS 180-2, appendix B.1.
    assert_eq!(abc.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!((abc.size, abc.head.as_slice()), (3, b"abc".as_slice()));
    assert_eq!(fs::read(blobs.path(&abc.name)).unwrap(), b"abc");

    let long = pattern(5_000_001);
    let mut hashes = Vec::new();
    for chunk in [1000, 1 << 20, 3_000_000, 5_000_001] {
        let stored = store(&blobs, &long, chunk).await;
        assert!(fs::read(blobs.path(&stored.name)).unwrap() == long);
        assert_eq!((stored.size, &stored.head[..]), (5_000_001, &long[..SNIFF_BYTES]));
        hashes.push(stored.sha256);
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1);
    assert_eq!(store(&blobs, b"", 1).await.size, 0);
    assert_eq!(files(&folder.path().join("incoming")), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn blobs_are_readable_only_by_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, blobs) = open();
    store(&blobs, b"abc", 3).await;
    for file in files(folder.path()) {
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0, "{}", file.display());
    }
    assert_eq!(fs::metadata(folder.path().join("blobs")).unwrap().permissions().mode() & 0o077, 0);
}

#[tokio::test]
async fn an_interrupted_upload_leaves_nothing() {
    let (folder, blobs) = open();
    let incoming = folder.path().join("incoming");
    for length in [0, 10, 3_000_000] {
        let mut cut_off = blobs.receive().await.unwrap();
        cut_off.write(&Bytes::from(pattern(length))).await.unwrap();
        assert_eq!(files(&incoming).len(), 1);
        drop(cut_off);
        emptied(&incoming).await;
    }
    assert_eq!(files(&folder.path().join("blobs")), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn the_output_of_a_conversion_is_stored() {
    let (folder, blobs) = open();
    let scratch = blobs.scratch("task", 1).await.unwrap();
    let output = scratch.path().join("output");
    let bytes = pattern(3_000_001);
    fs::write(&output, &bytes).unwrap();
    let adopted = blobs.store_output(&output).await.unwrap();
    assert!(!output.exists());
    assert!(fs::read(blobs.path(&adopted.name)).unwrap() == bytes);
    let received = store(&blobs, &bytes, 1 << 20).await;
    assert_eq!((adopted.size, adopted.sha256, adopted.head), (received.size, received.sha256, received.head));
    scratch.delete().await;
    assert_eq!(fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0);
}

#[tokio::test]
async fn only_a_regular_file_is_stored() {
    let (folder, blobs) = open();
    let scratch = blobs.scratch("task", 1).await.unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, b"secret").unwrap();
    let link = scratch.path().join("link");
    std::os::unix::fs::symlink(&secret, &link).unwrap();
    let pipe = scratch.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    for path in [link, pipe, scratch.path().to_owned(), scratch.path().join("missing")] {
        assert!(blobs.store_output(&path).await.is_err(), "{}", path.display());
    }
    assert_eq!(fs::read(&secret).unwrap(), b"secret");
    assert_eq!(files(&folder.path().join("blobs")), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_duplicate_outlives_the_original() {
    let (_folder, blobs) = open();
    let first = store(&blobs, b"abc", 3).await.name;
    let second = blobs.duplicate(&first).await.unwrap();
    assert_ne!(first, second);
    blobs.remove(&first).await.unwrap();
    assert!(!blobs.path(&first).exists());
    assert_eq!(fs::read(blobs.path(&second)).unwrap(), b"abc");
    blobs.remove(&first).await.unwrap();
    assert_eq!(blobs.duplicate(&first).await.unwrap_err().kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn a_scratch_directory_is_empty_and_deleted_on_drop() {
    let (folder, blobs) = open();
    let parent = folder.path().join("scratch");
    fs::create_dir(parent.join("task-1")).unwrap();
    fs::write(parent.join("task-1/left"), b"left").unwrap();
    let scratch = blobs.scratch("task", 1).await.unwrap();
    assert_eq!(files(scratch.path()), Vec::<PathBuf>::new());
    fs::create_dir(scratch.path().join("inner")).unwrap();
    fs::write(scratch.path().join("inner/file"), b"bytes").unwrap();
    drop(scratch);
    emptied(&parent).await;
}

#[tokio::test]
async fn old_blobs_are_listed_and_incomplete_files_deleted() {
    let (folder, blobs) = open();
    let stored = store(&blobs, b"abc", 3).await;
    let mut half = blobs.receive().await.unwrap();
    half.write(&Bytes::from(pattern(2_000_000))).await.unwrap();
    let scratch = blobs.scratch("task", 1).await.unwrap();
    fs::write(scratch.path().join("output"), b"bytes").unwrap();

    assert_eq!(blobs.collect_expired(LONG_AGO).await.unwrap(), Vec::<String>::new());
    // All of it came after the folder was opened.
    assert_eq!(blobs.collect_expired(blobs.opened()).await.unwrap(), Vec::<String>::new());
    assert_eq!(files(folder.path()).len(), 3, "the blob, the half and the output");
    assert_eq!(blobs.collect_expired(FAR_AHEAD).await.unwrap(), std::slice::from_ref(&stored.name));
    assert_eq!(files(folder.path()), [blobs.path(&stored.name)]);
    assert_eq!(fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0);
}

#[tokio::test]
async fn opening_deletes_incomplete_files_and_keeps_blobs() {
    let (folder, blobs) = open();
    let stored = store(&blobs, b"abc", 3).await;
    fs::write(folder.path().join("incoming/half"), b"half").unwrap();
    fs::create_dir(folder.path().join("scratch/task-1")).unwrap();
    fs::write(folder.path().join("scratch/task-1/output"), b"output").unwrap();

    let blobs = Blobs::open(folder.path()).unwrap();
    assert_eq!(files(folder.path()), [blobs.path(&stored.name)]);
    assert_eq!(fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0);
    assert!(blobs.free_space().unwrap() > 0);
}
