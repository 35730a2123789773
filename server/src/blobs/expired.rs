//! Finds blobs that may be orphaned, by age.

use std::fs::{DirEntry, read_dir};
use std::io;
use std::path::Path;

use super::open::change_time;
use super::{Blobs, blocking};
use crate::clock::Timestamp;

impl Blobs {
    /// Lists the blobs that were last changed before `before`. Deletes incomplete uploads and scratch directories of that age.
    ///
    /// # Errors
    ///
    /// If a directory cannot be listed or an entry cannot be deleted.
    pub async fn collect_expired(&self, before: Timestamp) -> io::Result<Vec<String>> {
        let blobs = self.clone();
        blocking(move || {
            for name in ["incoming", "scratch"] {
                for entry in entries(&blobs.folder(name), before)? {
                    ignore_gone(match entry.file_type()?.is_dir() {
                        true => std::fs::remove_dir_all(entry.path()),
                        false => std::fs::remove_file(entry.path()),
                    })?;
                }
            }
            let mut names = Vec::new();
            for prefix_dir in read_dir(blobs.folder("blobs"))? {
                let old = entries(&prefix_dir?.path(), before)?;
                names.extend(old.iter().filter_map(|entry| entry.file_name().into_string().ok()));
            }
            Ok(names)
        })
        .await
    }
}

/// The entries of a directory that were last changed before `before`.
fn entries(folder: &Path, before: Timestamp) -> io::Result<Vec<DirEntry>> {
    let mut old = Vec::new();
    for entry in read_dir(folder)? {
        let entry = entry?;
        match entry.metadata() {
            Ok(metadata) if change_time(&metadata) < before => old.push(entry),
            Ok(_) => {}
            Err(error) => ignore_gone(Err(error))?,
        }
    }
    Ok(old)
}

fn ignore_gone(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
