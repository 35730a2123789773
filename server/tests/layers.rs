//! The layers of `src/lib.rs`: a module uses only modules of lower layers.

#![allow(clippy::expect_used, reason = "a test may stop at what it does not expect")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate, each with the number of its layer. A comment `// Layer N` begins a layer.
fn layers(source: &str) -> BTreeMap<String, usize> {
    let mut layers = BTreeMap::new();
    let mut layer = 0;
    for line in source.lines() {
        if line.starts_with("// Layer ") {
            layer += 1;
        }
        let declared = line.trim_start_matches("pub ").strip_prefix("mod ");
        if let Some(name) = declared.and_then(|rest| rest.strip_suffix(';')) {
            layers.insert(name.to_owned(), layer);
        }
    }
    layers
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The modules that a line names as `crate::NAME`.
fn used(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    code.split("crate::").skip(1).filter_map(|rest| {
        let end = rest.find(|character: char| !character.is_ascii_lowercase() && character != '_');
        rest.get(..end.unwrap_or(rest.len())).filter(|name| !name.is_empty())
    })
}

#[test]
fn a_module_uses_only_modules_of_lower_layers() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let layers = layers(&fs::read_to_string(source.join("lib.rs")).expect("lib.rs"));
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    let mut edges = 0;
    for file in &files {
        let inside = file.strip_prefix(&source).expect("a file of src").with_extension("");
        let module = inside.iter().next().and_then(|name| name.to_str()).expect("a name");
        // `lib` declares the layers; `main` calls the top one.
        let Some(own) = layers.get(module) else {
            assert!(matches!(module, "lib" | "main"), "{module} is in no layer");
            continue;
        };
        for line in fs::read_to_string(file).expect("a file").lines() {
            assert!(!line.contains("crate::{"), "{}: name each module by itself: {line}", file.display());
            for other in used(line).filter(|other| *other != module) {
                let layer = layers.get(other).unwrap_or_else(|| panic!("{other} is in no layer: {line}"));
                assert!(layer < own, "{}: {module} is not above {other}: {line}", file.display());
                edges += 1;
            }
        }
    }
    assert!(files.len() > 150 && edges > 100, "{} files, {edges} uses", files.len());
}
