//! The documents, by `make.py`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::Bench;

/// Their names.
pub(crate) const NAMES: [&str; 10] = [
    "forms",
    "tagged",
    "attachments",
    "scans",
    "cmyk",
    "jbig2",
    "duplicates",
    "encrypted",
    "portfolio",
    "fonts",
];

/// From the Debian package mate-backgrounds, which `scripts/setup.sh` installs.
const PHOTOGRAPH: &str = "/usr/share/backgrounds/mate/nature/Garden.jpg";

/// Makes them in the folder of a test.
pub(crate) fn make(bench: &Bench) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = std::env::var_os("FILEPRESS_TOOLS").map_or_else(|| root.join("../.tools"), PathBuf::from);
    let python = tools.join("python/bin/python");
    let script = root.join("tests/documents/make.py");
    let made = Command::new(&python).arg(script).arg(bench.path("")).arg(PHOTOGRAPH).status();
    let made = made.unwrap_or_else(|error| panic!("{}: {error}; run scripts/setup.sh", python.display()));
    assert!(made.success(), "make.py failed");
}
