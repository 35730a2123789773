//! The OpenEXR files of the corpus, compared with the crate `exr`. `CORPUS` is the absolute path of its folder.

use std::path::{Path, PathBuf};

use crate::files::{decoded_within, expected};

/// All files below a folder with that ending.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("exr")) {
            found.push(path);
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn the_corpus_is_read_as_the_reference_reads_it() {
    let corpus =
        std::env::var_os("CORPUS").map(PathBuf::from).expect("CORPUS names the folder of the corpus");
    let mut found = Vec::new();
    files(&corpus, &mut found);
    assert_eq!(found.len(), 3);
    for path in found {
        let bytes = std::fs::read(&path).expect("a file");
        for (index, expected) in expected(&bytes).iter().enumerate() {
            let planes =
                decoded_within(&bytes, index, 1 << 26).unwrap_or_else(|error| panic!("{error}: {path:?}"));
            assert!(planes == *expected, "{path:?}");
        }
    }
}
