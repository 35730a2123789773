//! The JPEGs of the corpus. `CORPUS` is the absolute path of its folder.

use std::path::{Path, PathBuf};

use crate::oracle::{decode, difference, djpeg};

/// The files that end in `.jpg` or `.jpeg`.
const FILES: usize = 8;

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|end| end == "jpg" || end == "jpeg") {
            files.push(path);
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_pixels_equal_those_of_libjpeg_turbo() {
    let folder =
        std::env::var_os("CORPUS").map(PathBuf::from).expect("CORPUS names the folder of the corpus");
    let mut files = Vec::new();
    walk(&folder, &mut files);
    assert_eq!(files.len(), FILES, "files in {}", folder.display());
    for path in files {
        let file = std::fs::read(&path).unwrap();
        let Some(theirs) = djpeg(8, &file) else { continue };
        let (ours, _) = decode(8, 16, &file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(difference(&ours, &theirs) <= 1, "{}", path.display());
    }
}
