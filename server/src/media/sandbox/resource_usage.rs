//! What a conversion uses at a moment: memory, processes, disk.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::process_tree::ProcessTree;

/// More files than this are not counted: there is no way to that many without harm in mind.
const MAX_FILES: usize = 100_000;
/// What a block of a file is told in.
const BLOCK: u64 = 512;

/// All processes of a conversion together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ResourceUsage {
    /// Bytes of memory. What is read from files is not among them: the kernel takes it back where it needs to.
    pub(super) memory: u64,
    /// Processes and threads.
    pub(super) processes: u64,
    /// Bytes on disk: those of the folder, and of files without a name that are open.
    pub(super) disk: u64,
}

impl ResourceUsage {
    /// Measures; `input` is not the conversion's, even where it was deleted meanwhile.
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

/// The bytes of a folder and of those in it. No tool can make a folder, so that they are as deep as this service makes them.
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

/// The bytes of files that a process has open and that have no name.
fn unnamed(pid: i32, counted: &mut BTreeSet<(u64, u64)>) -> u64 {
    let open = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let files = open.filter_map(|entry| fs::metadata(entry.path()).ok());
    files
        .filter(|file| file.is_file() && file.nlink() == 0 && counted.insert(identity(file)))
        .map(|file| size(&file))
        .sum()
}
