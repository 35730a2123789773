//! What only a folder has: permissions, files that are left behind, and directories.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use filepress_server::blobs::Blobs;
use filepress_server::clock::{Clock, SystemClock, Timestamp};
use tempfile::TempDir;

use crate::both::pattern;

const LONG_AGO: Timestamp = Timestamp(0);
const FAR_AHEAD: Timestamp = Timestamp(i64::MAX);

fn open() -> (TempDir, Blobs) {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(folder.path(), None, SystemClock.now()).unwrap();
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

/// Where a content is.
fn path(folder: &TempDir, name: &str) -> PathBuf {
    folder.path().join("blobs").join(&name[..2]).join(name)
}

async fn store(blobs: &Blobs, bytes: &[u8], chunk: usize) -> filepress_server::blobs::StoredBlob {
    let mut incoming = blobs.receive(bytes.len() as u64).await.unwrap();
    for part in bytes.chunks(chunk) {
        incoming.write(&Bytes::copy_from_slice(part)).await.unwrap();
    }
    assert_eq!(incoming.size(), bytes.len() as u64);
    incoming.commit().await.unwrap()
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
        let mut cut_off = blobs.receive(length as u64 + 1).await.unwrap();
        cut_off.write(&Bytes::from(pattern(length))).await.unwrap();
        assert_eq!(files(&incoming).len(), 1);
        drop(cut_off);
        emptied(&incoming).await;
    }
    assert_eq!(files(&folder.path().join("blobs")), Vec::<PathBuf>::new());
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
    let mut half = blobs.receive(3_000_000).await.unwrap();
    half.write(&Bytes::from(pattern(2_000_000))).await.unwrap();
    let scratch = blobs.scratch("task", 1).await.unwrap();
    fs::write(scratch.path().join("output"), b"bytes").unwrap();

    assert_eq!(blobs.collect_expired(LONG_AGO).await.unwrap(), Vec::<String>::new());
    assert_eq!(files(folder.path()).len(), 3, "the blob, the half and the output");
    assert_eq!(blobs.collect_expired(FAR_AHEAD).await.unwrap(), std::slice::from_ref(&stored.name));
    assert_eq!(files(folder.path()), [path(&folder, &stored.name)]);
    assert_eq!(fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0);
}

#[tokio::test]
async fn opening_deletes_incomplete_files_and_keeps_blobs() {
    let (folder, blobs) = open();
    let stored = store(&blobs, b"abc", 3).await;
    fs::write(folder.path().join("incoming/half"), b"half").unwrap();
    fs::create_dir(folder.path().join("scratch/task-1")).unwrap();
    fs::write(folder.path().join("scratch/task-1/output"), b"output").unwrap();

    let blobs = Blobs::open(folder.path(), None, SystemClock.now()).unwrap();
    assert_eq!(files(folder.path()), [path(&folder, &stored.name)]);
    assert_eq!(fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0);
    assert!(blobs.free_space().unwrap() > 0);
}
