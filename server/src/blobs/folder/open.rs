//! Opens the directories.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::{Folder, sync_folder};
use crate::clock::Timestamp;
use crate::private_dir::create_private_dir;

impl Folder {
    /// Opens or creates the directories under `data` with access for the owner only, and empties `incoming` and `scratch`. The
    /// caller must make sure that no other process uses them. `now` is the time by the clock that ages are measured with.
    pub(in super::super) fn open(data: &Path, now: Timestamp) -> io::Result<Self> {
        for name in ["incoming", "scratch"] {
            match std::fs::remove_dir_all(data.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        for name in ["blobs", "incoming", "resumable", "scratch"] {
            create_private_dir(&data.join(name))?;
        }
        sync_folder(data)?;
        // The change time of a new directory is the current time of the file system's clock.
        let here = change_time(&std::fs::metadata(data.join("scratch"))?);
        Ok(Self { data: data.to_owned(), opened: now, ahead: now.0.saturating_sub(here.0) })
    }
}

/// When a file was last written, renamed or linked (ctime). The modification time of a hard link would be that of the original.
pub(super) fn change_time(metadata: &std::fs::Metadata) -> Timestamp {
    Timestamp(metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec()))
}
