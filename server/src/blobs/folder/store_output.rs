//! Stores the output of a conversion, and duplicates a stored blob.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use filepress_wire::SNIFF_BYTES;
use rustix::fs::OFlags;
use sha2::{Digest, Sha256};
use tempfile::TempPath;

use super::Folder;
use super::incoming::{CHUNK_SIZE, hex_digest};
use crate::blobs::{StoredBlob, blocking};
use crate::ids;

impl Folder {
    /// Stores a finished file: hashes it, syncs it and renames it, or copies it from another file system.
    pub(in super::super) async fn store_output(&self, file: &Path) -> io::Result<StoredBlob> {
        let (folder, path) = (self.clone(), file.to_owned());
        blocking(move || {
            let (file, mut stored) = read(&path)?;
            file.sync_all()?;
            stored.name = ids::uuid()?;
            folder.publish(&stored.name, |target| match std::fs::rename(&path, target) {
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices => folder.copy(&path, target),
                done => done,
            })?;
            Ok(stored)
        })
        .await
    }

    /// Duplicates a blob under a new name.
    pub(in super::super) async fn duplicate(&self, name: &str) -> io::Result<String> {
        let (folder, source) = (self.clone(), self.path(name));
        blocking(move || {
            let name = ids::uuid()?;
            folder.publish(&name, |target| folder.link(&source, target))?;
            Ok(name)
        })
        .await
    }

    /// Gives a file another name: by a hard link if the file system has them, else by a copy.
    pub(super) fn link(&self, source: &Path, target: &Path) -> io::Result<()> {
        match std::fs::hard_link(source, target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => self.copy(source, target),
            done => done,
        }
    }

    /// Copies a file by way of `incoming`, so that an incomplete copy is never published.
    fn copy(&self, source: &Path, target: &Path) -> io::Result<()> {
        let path: PathBuf = self.subfolder("incoming").join(ids::uuid()?);
        let mut copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        let path = TempPath::try_from_path(path)?;
        io::copy(&mut File::open(source)?, &mut copy)?;
        copy.sync_all()?;
        path.persist(target).map_err(|error| error.error)
    }
}

/// Opens a file that a tool has written, unless it is anything but a regular file.
pub(in super::super) fn open_regular(path: &Path) -> io::Result<File> {
    // Do not follow a symbolic link, and do not wait for the writer of a named pipe.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let file = OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file")),
    }
}

/// Opens and hashes a file that a tool has written; the caller sets the name.
fn read(path: &Path) -> io::Result<(File, StoredBlob)> {
    let mut file = open_regular(path)?;
    let stored = hash(&mut file)?;
    Ok((file, stored))
}

/// Hashes a file from where it is; the caller sets the name.
pub(super) fn hash(file: &mut File) -> io::Result<StoredBlob> {
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
    Ok(stored)
}
