//! Renders documents with pdftoppm and extracts their text with pdftotext.

use std::path::Path;

use crate::tools::{Bench, run};

/// The text of all pages.
pub(crate) fn text(document: &Path) -> String {
    run("pdftotext", &["-layout", document.to_str().expect("a path"), "-"])
}

/// How far the pages of two documents are apart at 100 dpi: the most that one is on average, in levels of 256.
pub(crate) fn apart(bench: &Bench, one: &Path, other: &Path) -> f64 {
    let (one, other) = (pages(bench, "one", one), pages(bench, "other", other));
    assert_eq!(one.len(), other.len(), "pages");
    one.iter().zip(&other).map(|(one, other)| distance(one, other)).fold(0.0, f64::max)
}

fn distance(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len(), "sizes of a page");
    let sum: u64 = one.iter().zip(other).map(|(one, other)| u64::from(one.abs_diff(*other))).sum();
    sum as f64 / one.len() as f64
}

fn pages(bench: &Bench, name: &str, document: &Path) -> Vec<Vec<u8>> {
    let folder = bench.scratch();
    let stem = folder.join(name);
    let said =
        run("pdftoppm", &["-r", "100", document.to_str().expect("a path"), stem.to_str().expect("a path")]);
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no page of {}: {said}", document.display());
    files.iter().map(|file| std::fs::read(file).expect("a page")).collect()
}
