//! The image-rs corpus: valid files decode or are listed with a reason; broken, truncated and altered files give an
//! error or a picture. `make test-corpus CORPUS=…` runs these tests; a path in `CORPUS` must be absolute.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use filepress::{ErrorKind, Result, media};
use filepress_wire::SNIFF_BYTES;
use serde_json::json;

use super::support::run_as;

/// What is neither decoded nor meant to be: `path: reason` a line. The package's tests read the same list.
const REFUSED: &str = include_str!("../corpus/refused.txt");
/// More than any call takes, on a slow machine with others beside it.
const PATIENCE: Duration = Duration::from_secs(120);

/// The folder that `CORPUS` names.
pub(super) fn folder() -> PathBuf {
    let folder =
        std::env::var_os("CORPUS").map(PathBuf::from).expect("CORPUS names the folder of the corpus");
    assert!(folder.is_dir(), "there is no folder {}", folder.display());
    folder
}

/// The folder of image-rs's files.
pub(super) fn root() -> PathBuf {
    folder().join("image-rs")
}

/// Fails where no file was walked, and prints how many were.
#[expect(clippy::print_stderr, reason = "make test-corpus prints the counts")]
pub(super) fn assert_walked(test: &str, count: usize) {
    assert!(count > 0, "{test} walked no file");
    eprintln!("{test} walked {count} files");
}

/// The `count` files under a folder of image-rs's files, by their paths from there, sorted.
pub(super) fn files(folder: &str, count: usize) -> Vec<String> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { walk(&path, files) } else { files.push(path) }
        }
    }
    let mut files = Vec::new();
    walk(&root().join(folder), &mut files);
    let from_root = |path: PathBuf| path.strip_prefix(root()).map(|path| path.display().to_string());
    let mut files: Vec<String> =
        files.into_iter().map(|path| from_root(path).expect("below the root")).collect();
    files.sort();
    assert_eq!(files.len(), count, "files in {folder:?}");
    files
}

pub(super) fn bytes_of(name: &str) -> Vec<u8> {
    std::fs::read(root().join(name)).expect("readable")
}

/// Decodes a file that may be broken, as far as its type can be told from its bytes or its name.
fn decode(name: &str, bytes: &[u8]) -> Result<()> {
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let declared = media::recognize(head, None, Some(name))?;
    run_as(bytes, Some(declared.as_str()), json!({ "to": "image/qoi", "limits": { "maxPixels": 4_000_000 } }))
        .map(drop)
}

/// A call on a broken file must end, and not in a fault of ours.
fn survives(name: &str, bytes: &[u8]) {
    if let Err(error) = decode(name, bytes) {
        assert_ne!(error.kind(), ErrorKind::Internal, "{name}: {error}");
    }
}

/// Runs `work` beside this thread, so that a hang is a failure with a name.
#[expect(clippy::disallowed_methods, reason = "a hang can only be seen from another thread")]
fn in_time(name: &str, work: impl FnOnce() + Send + 'static) {
    let (done, waiting) = mpsc::channel::<()>();
    let worker = std::thread::spawn(move || {
        work();
        drop(done);
    });
    assert_ne!(waiting.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Timeout), "{name} hangs");
    worker.join().unwrap_or_else(|_| panic!("{name} panicked"));
}

#[test]
#[ignore = "needs the corpus: make test-corpus CORPUS=…"]
fn what_should_decode_does_or_is_listed() {
    let refused: BTreeMap<&str, &str> = REFUSED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(": ").expect("a path, a colon and a reason"))
        .collect();
    let mut wrong = Vec::new();
    let (mut seen, mut walked) = (0, 0);
    for (folder, count) in [("images", 192), ("reference", 171)] {
        for name in files(folder, count) {
            walked += 1;
            match (decode(&name, &bytes_of(&name)), refused.get(name.as_str())) {
                (Ok(()), None) => {}
                (Err(_), Some(_)) => seen += 1,
                (Ok(()), Some(reason)) => wrong.push(format!("{name} decodes, and is listed: {reason}")),
                (Err(error), None) => wrong.push(format!("{name}: {error}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(seen, refused.len(), "listed files that are refused");
    assert_walked("what_should_decode_does_or_is_listed", walked);
}

#[test]
#[ignore = "needs the corpus: make test-corpus CORPUS=…"]
fn what_is_broken_is_an_error_or_a_picture() {
    let mut walked = 0;
    for (folder, count) in [("bad", 10), ("regression", 17)] {
        for name in files(folder, count) {
            let bytes = bytes_of(&name);
            walked += 1;
            in_time(&name.clone(), move || survives(&name, &bytes));
        }
    }
    assert_walked("what_is_broken_is_an_error_or_a_picture", walked);
}

#[test]
#[ignore = "needs the corpus: make test-corpus CORPUS=…"]
fn every_file_survives_cuts_and_flips() {
    let names = files("", 390);
    assert_walked("every_file_survives_cuts_and_flips", names.len());
    for name in names {
        let bytes = bytes_of(&name);
        in_time(&name.clone(), move || {
            for at in (0..bytes.len()).step_by((bytes.len() / 24).max(1)) {
                survives(&name, &bytes[..at]);
                let mut broken = bytes.clone();
                broken[at] ^= 0xFF;
                survives(&name, &broken);
            }
        });
    }
}
