//! Files from the wild, where `../shared/corpus` is there: an error or a picture for each, cut, flipped and whole.

use std::path::{Path, PathBuf};

use filepress::{ErrorKind, media};
use filepress_wire::SNIFF_BYTES;
use serde_json::json;

use super::support::run_as;

/// Every image-rs file of the corpus, sorted; empty where there is no corpus.
fn files() -> Vec<PathBuf> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { walk(&path, files) } else { files.push(path) }
        }
    }
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/image-rs"), &mut files);
    files.sort();
    files
}

/// A call that must not end in a fault of ours; tells whether there was a picture.
fn survives(path: &Path, bytes: &[u8]) -> bool {
    let options = json!({ "to": "image/qoi", "limits": { "maxPixels": 4_000_000 } });
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let name = path.to_string_lossy();
    let declared = media::recognise(head, None, Some(&name)).ok();
    match run_as(bytes, declared.map(|media| media.as_str()), options) {
        Ok(_) => true,
        Err(error) => {
            assert_ne!(error.kind(), ErrorKind::Internal, "{name}: {error}");
            false
        }
    }
}

#[test]
fn every_file_is_a_picture_or_an_error() {
    let files = files();
    if files.is_empty() {
        return;
    }
    let mut pictures = 0;
    for path in &files {
        let bytes = std::fs::read(path).expect("readable");
        pictures += usize::from(survives(path, &bytes));
    }
    assert_eq!(files.len(), 390, "files walked");
    assert!(pictures > 200, "{pictures} pictures");
}

#[test]
fn every_file_survives_cuts_and_flips() {
    let files = files();
    let (mut cuts, mut flips) = (0, 0);
    for path in &files {
        let bytes = std::fs::read(path).expect("readable");
        for at in (0..bytes.len()).step_by((bytes.len() / 24).max(1)) {
            survives(path, &bytes[..at]);
            cuts += 1;
            let mut broken = bytes.clone();
            broken[at] ^= 0xFF;
            survives(path, &broken);
            flips += 1;
        }
    }
    assert!(cuts >= files.len() * 20 && flips == cuts, "{cuts} cuts, {flips} flips of {} files", files.len());
}
