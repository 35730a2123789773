//! Stores the output of a conversion, and duplicates a stored blob.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use filepress_wire::SNIFF_BYTES;
use rustix::fs::OFlags;
use sha2::{Digest, Sha256};
use tempfile::TempPath;

use super::incoming::{CHUNK_SIZE, hex_digest};
use super::{Blobs, StoredBlob, blocking};
use crate::ids;

impl Blobs {
    /// Stores a finished file: hashes it, syncs it and renames it, or copies it from another file system.
    ///
    /// # Errors
    ///
    /// If it is not a regular file (a malicious input may make a tool create a symbolic link), or cannot be read or published;
    /// [`io::ErrorKind::StorageFull`] if the disk is full.
    pub async fn store_output(&self, file: &Path) -> io::Result<StoredBlob> {
        let (blobs, path) = (self.clone(), file.to_owned());
        blocking(move || {
            let (file, mut stored) = read(&path)?;
            file.sync_all()?;
            stored.name = ids::uuid()?;
            blobs.publish(&stored.name, |target| match std::fs::rename(&path, target) {
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices => blobs.copy(&path, target),
                done => done,
            })?;
            Ok(stored)
        })
        .await
    }

    /// Duplicates a blob under a new name: by a hard link if the file system has them, else by a copy.
    ///
    /// # Errors
    ///
    /// If the blob does not exist or cannot be duplicated.
    pub async fn duplicate(&self, name: &str) -> io::Result<String> {
        let (blobs, source) = (self.clone(), self.path(name));
        blocking(move || {
            let name = ids::uuid()?;
            blobs.publish(&name, |target| match std::fs::hard_link(&source, target) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => blobs.copy(&source, target),
                done => done,
            })?;
            Ok(name)
        })
        .await
    }

    /// Copies a file by way of `incoming`, so that an incomplete copy is never published.
    fn copy(&self, source: &Path, target: &Path) -> io::Result<()> {
        let path: PathBuf = self.folder("incoming").join(ids::uuid()?);
        let mut copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        let path = TempPath::try_from_path(path)?;
        io::copy(&mut File::open(source)?, &mut copy)?;
        copy.sync_all()?;
        path.persist(target).map_err(|error| error.error)
    }
}

/// Hashes a file; the caller sets the name.
fn read(path: &Path) -> io::Result<(File, StoredBlob)> {
    // Do not follow a symbolic link, and do not wait for the writer of a named pipe.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let mut file = OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file"));
    }
    let mut stored = StoredBlob { name: String::new(), size: 0, sha256: String::new(), head: Vec::new() };
    let mut hash = Sha256::new();
    let mut chunk = vec![0; CHUNK_SIZE];
    loop {
        let read = match file.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => &chunk[..read],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let missing = SNIFF_BYTES.saturating_sub(stored.head.len()).min(read.len());
        stored.head.extend_from_slice(&read[..missing]);
        stored.size += read.len() as u64;
        hash.update(read);
    }
    stored.sha256 = hex_digest(hash);
    Ok((file, stored))
}
