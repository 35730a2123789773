//! The corpus of image-rs, where `../shared/corpus` is there: what should decode does or is listed with the reason, and what
//! is broken, whole or cut or flipped, is an error or a picture.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use filepress::{ErrorKind, Result, media};
use filepress_wire::SNIFF_BYTES;
use serde_json::json;

use super::support::run_as;

/// What is neither decoded nor meant to be: `path: reason` a line. The package's tests read the same list.
const REFUSED: &str = include_str!("../corpus-refused.txt");
/// More than any call takes, on a slow machine with others beside it.
const PATIENCE: Duration = Duration::from_secs(120);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/image-rs")
}

/// The `count` files under a folder of the corpus, by their paths from the root, sorted; none where there is no corpus.
pub(super) fn files(folder: &str, count: usize) -> Vec<String> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { walk(&path, files) } else { files.push(path) }
        }
    }
    if !root().is_dir() {
        // Written past the test runner, which keeps what a passing test prints to itself.
        let _ =
            writeln!(std::io::stderr(), "skipped: extra material that is not here ({})", root().display());
        return Vec::new();
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
fn what_should_decode_does_or_is_listed() {
    let refused: BTreeMap<&str, &str> = REFUSED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(": ").expect("a path, a colon and a reason"))
        .collect();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (folder, count) in [("images", 192), ("reference", 171)] {
        for name in files(folder, count) {
            match (decode(&name, &bytes_of(&name)), refused.get(name.as_str())) {
                (Ok(()), None) => {}
                (Err(_), Some(_)) => seen += 1,
                (Ok(()), Some(reason)) => wrong.push(format!("{name} decodes, and is listed: {reason}")),
                (Err(error), None) => wrong.push(format!("{name}: {error}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        !root().is_dir() || seen == refused.len(),
        "{seen} of the {} listed files are there",
        refused.len()
    );
}

#[test]
fn what_is_broken_is_an_error_or_a_picture() {
    for (folder, count) in [("bad", 10), ("regression", 17)] {
        for name in files(folder, count) {
            let bytes = bytes_of(&name);
            in_time(&name.clone(), move || survives(&name, &bytes));
        }
    }
}

#[test]
fn every_file_survives_cuts_and_flips() {
    for name in files("", 390) {
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
