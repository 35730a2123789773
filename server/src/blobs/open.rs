//! Takes the folders of a data directory into possession.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::{Blobs, sync_folder};
use crate::clock::Timestamp;
use crate::private_dir::create_private_dir;

impl Blobs {
    /// Opens or makes the folders under `data`, for the owner's eyes alone, and empties those for what was half done. It is for
    /// the caller to see to it that no other process works there.
    ///
    /// # Errors
    ///
    /// Where they cannot be made.
    pub fn open(data: &Path) -> io::Result<Self> {
        for name in ["incoming", "scratch"] {
            match std::fs::remove_dir_all(data.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        for name in ["blobs", "incoming", "scratch"] {
            create_private_dir(&data.join(name))?;
        }
        sync_folder(data)?;
        // A folder that was made just now tells the time by the clock of the file system.
        let opened = change_time(&std::fs::metadata(data.join("scratch"))?);
        Ok(Self { data: data.to_owned(), opened })
    }
}

/// When a file was last written, named or linked. Unlike the time of modification it is not that of another name.
pub(super) fn change_time(metadata: &std::fs::Metadata) -> Timestamp {
    Timestamp(metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec()))
}
