//! The paths that every tool may read.

use std::io;
use std::path::{Component, Path, PathBuf};

/// Paths that may be read besides the input: programs, libraries, fonts and their configuration. Missing ones are skipped.
pub(super) const READABLE: [&str; 14] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ghostscript",
    "/etc/ld.so.cache",
    "/etc/papersize",
    "/var/lib/ghostscript",
    "/var/cache/fontconfig",
    "/etc/localtime",
];

/// The path of [`READABLE`] below which a path is, which need not exist; `None`: no tool can read it.
pub(crate) fn readable_root(path: &Path) -> io::Result<Option<&'static str>> {
    let path = resolve(path)?;
    let holds = |root: &str| std::fs::canonicalize(root).is_ok_and(|root| path.starts_with(root));
    Ok(READABLE.into_iter().find(|root| holds(root)))
}

/// The path without symbolic links, as far as it exists.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut resolved = PathBuf::new();
    for component in std::path::absolute(path)?.components() {
        match component {
            Component::ParentDir => _ = resolved.pop(),
            other => resolved.push(other),
        }
        if let Ok(real) = std::fs::canonicalize(&resolved) {
            resolved = real;
        }
    }
    Ok(resolved)
}
