//! Finds blobs that may be orphaned, by age.

use std::fs::{DirEntry, read_dir};
use std::io;
use std::path::Path;

use super::Folder;
use super::open::change_time;
use crate::blobs::blocking;
use crate::clock::Timestamp;

impl Folder {
    /// Lists the contents that were last changed before `before`, or before the directories were opened. Deletes incomplete uploads and
    /// scratch directories of that age.
    pub(in super::super) async fn collect_expired(&self, before: Timestamp) -> io::Result<Vec<String>> {
        let folder = self.clone();
        let before = Timestamp(before.max(self.opened).0.saturating_sub(self.ahead));
        blocking(move || {
            for name in ["incoming", "scratch"] {
                for entry in entries(&folder.subfolder(name), before)? {
                    ignore_gone(match entry.file_type()?.is_dir() {
                        true => std::fs::remove_dir_all(entry.path()),
                        false => std::fs::remove_file(entry.path()),
                    })?;
                }
            }
            let mut names = Vec::new();
            for prefix_dir in read_dir(folder.subfolder("blobs"))? {
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
