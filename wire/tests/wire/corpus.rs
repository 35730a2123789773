//! Real files: each is what its name says. `make test-corpus CORPUS=…` runs this.

use std::path::{Path, PathBuf};

use filepress_wire::Sniffed::{Known, Unknown};
use filepress_wire::{MediaType, sniff};

#[test]
#[ignore = "needs the corpus: make test-corpus CORPUS=…"]
#[expect(clippy::print_stderr, reason = "make test-corpus prints the counts")]
fn files_are_what_their_names_say() -> std::io::Result<()> {
    let corpus = std::env::var_os("CORPUS").ok_or_else(|| std::io::Error::other("CORPUS names no folder"))?;
    let mut images = 0;
    for path in files(Path::new(&corpus))? {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let Some(expected) = MediaType::from_extension(&extension) else {
            continue;
        };
        // What a fuzzer left of a TGA is not one by its header.
        let fuzzed = path.parent().is_some_and(|folder| folder.ends_with("regression/tga"));
        let expected = if fuzzed { Unknown } else { Known(expected) };
        assert_eq!(sniff(&std::fs::read(&path)?), expected, "{}", path.display());
        images += 1;
    }
    assert_eq!(images, 389);
    eprintln!("files_are_what_their_names_say walked {images} files");
    Ok(())
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.append(&mut files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}
