//! Measures the current memory, processes and disk space of a conversion.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::process_tree::ProcessTree;

/// The maximum number of files to count; more means that the conversion is an attack.
const MAX_FILES: usize = 100_000;
/// The unit of `st_blocks` in bytes.
const BLOCK: u64 = 512;

/// The usage of all processes together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ResourceUsage {
    /// Bytes of memory, without file-backed pages: the kernel can reclaim those.
    pub(super) memory: u64,
    /// Processes and threads.
    pub(super) processes: u64,
    /// Bytes on disk: the directory, and deleted files that are still open.
    pub(super) disk: u64,
}

impl ResourceUsage {
    /// Measures the usage. `input` does not count, even if it was deleted meanwhile.
    pub(super) fn measure<'t>(
        trees: impl Iterator<Item = &'t mut ProcessTree>,
        folder: &Path,
        input: Option<&Path>,
    ) -> Self {
        let mut usage = Self { disk: in_folder(folder), ..Self::default() };
        let mut counted: BTreeSet<_> =
            input.and_then(|input| fs::metadata(input).ok()).iter().map(identity).collect();
        for (pid, status) in trees.flat_map(ProcessTree::refresh) {
            usage.memory += status.memory;
            usage.processes += status.threads;
            usage.disk = usage.disk.saturating_add(unnamed(pid, &mut counted));
        }
        usage
    }
}

fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

fn size(file: &Metadata) -> u64 {
    file.blocks() * BLOCK
}

/// The bytes of a directory tree. Tools cannot create directories, so its depth is bounded.
fn in_folder(folder: &Path) -> u64 {
    let mut sum: u64 = 0;
    let mut left = MAX_FILES;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            left = left.saturating_sub(1);
            if left == 0 {
                return u64::MAX;
            }
            let Ok(metadata) = entry.metadata() else { continue };
            sum += size(&metadata);
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    sum
}

/// The bytes of deleted files that a process has open.
fn unnamed(pid: i32, counted: &mut BTreeSet<(u64, u64)>) -> u64 {
    let open = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let files = open.filter_map(|entry| fs::metadata(entry.path()).ok());
    files
        .filter(|file| file.is_file() && file.nlink() == 0 && counted.insert(identity(file)))
        .map(|file| size(&file))
        .sum()
}
