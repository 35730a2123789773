//! The signing keys as a JSON document: in a file of the data directory that only its owner can read, in a file that is mounted, or in
//! the database.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::clock::Timestamp;

/// The keys; the first one signs. There is always at least one.
#[derive(Serialize, Deserialize)]
pub(super) struct Keyring {
    keys: Vec<Key>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Key {
    /// Its id in URLs.
    pub(super) id: String,
    /// 32 bytes, base64url.
    secret: String,
    /// When it expires, in seconds since 1970; `None` for the signing key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
}

/// Identifies a version of the keys; changes when they are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// Of a file.
    File { inode: u64, modified: (i64, i64) },
    /// Of the document in the database.
    Database(i64),
}

/// The path of the keys in a data directory.
pub(super) fn file(data: &Path) -> PathBuf {
    data.join("signing-keys.json")
}

impl Keyring {
    /// Reads the keys; creates the first one if there is no file.
    pub(super) fn open(path: &Path) -> io::Result<(Version, Self)> {
        match Self::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Self::generate()?.create(path)?;
                Self::read(path)
            }
            other => other,
        }
    }

    pub(super) fn read(path: &Path) -> io::Result<(Version, Self)> {
        let file = File::open(path)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        let version = Version::from(file.metadata()?);
        Ok((version, Self::parse(&io::read_to_string(file)?)?))
    }

    /// Reads a document.
    pub(super) fn parse(document: &str) -> io::Result<Self> {
        let keys: Self = serde_json::from_str(document).map_err(io::Error::from)?;
        if keys.keys.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the document of the signing keys contains no key",
            ));
        }
        Ok(keys)
    }

    /// A document with a new key.
    pub(super) fn generate() -> io::Result<Self> {
        Ok(Self { keys: vec![Key::generate()?] })
    }

    /// The document.
    pub(super) fn document(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)?)
    }

    /// Creates the file. If another process creates it first, that file is kept.
    fn create(&self, path: &Path) -> io::Result<()> {
        let new = self.write_temporary(path)?;
        let linked = std::fs::hard_link(&new, path);
        std::fs::remove_file(&new)?;
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => sync_folder(path),
        }
    }

    /// Replaces the file atomically.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        std::fs::rename(self.write_temporary(path)?, path)?;
        sync_folder(path)
    }

    fn write_temporary(&self, path: &Path) -> io::Result<PathBuf> {
        let new = path.with_extension(format!("{}.new", std::process::id()));
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        file.write_all(self.document()?.as_bytes())?;
        file.sync_all()?;
        Ok(new)
    }

    pub(super) fn rotate(&mut self, keep: Duration, now: Timestamp) -> io::Result<()> {
        for key in &mut self.keys {
            key.until.get_or_insert(now.after(keep).seconds());
        }
        self.keys.retain(|key| key.is_valid(now));
        self.keys.insert(0, Key::generate()?);
        Ok(())
    }

    /// Adds the keys of `others` that these do not contain. They verify, but do not sign; the one that signed, for `keep`. True if
    /// there were any.
    pub(super) fn adopt(&mut self, others: Self, keep: Duration, now: Timestamp) -> bool {
        let latest = now.after(keep).seconds();
        let before = self.keys.len();
        for mut key in others.keys.into_iter().filter(|key| key.is_valid(now)) {
            if self.keys.iter().all(|own| own.id != key.id) {
                key.until.get_or_insert(latest);
                self.keys.push(key);
            }
        }
        self.keys.len() > before
    }

    /// The key that signs.
    pub(super) fn current(&self) -> &Key {
        &self.keys[0]
    }

    /// The key with this id, if it has not expired.
    pub(super) fn find_valid(&self, id: &str, now: Timestamp) -> Option<&Key> {
        self.keys.iter().find(|key| key.id == id && key.is_valid(now))
    }
}

impl Key {
    fn generate() -> io::Result<Self> {
        let mut random = [0; 38];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let (id, secret) = random.split_at(6);
        Ok(Self { id: URL_SAFE_NO_PAD.encode(id), secret: URL_SAFE_NO_PAD.encode(secret), until: None })
    }

    fn is_valid(&self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| now.seconds() < until)
    }

    /// The MAC of a message.
    pub(super) fn mac(&self, message: &str) -> Vec<u8> {
        self.hmac(message).map_or_else(Vec::new, |hmac| hmac.finalize().into_bytes().to_vec())
    }

    /// Whether this is the MAC of the message. Compares in constant time.
    pub(super) fn verifies(&self, message: &str, mac: &[u8]) -> bool {
        self.hmac(message).is_some_and(|hmac| hmac.verify_slice(mac).is_ok())
    }

    fn hmac(&self, message: &str) -> Option<Hmac<Sha256>> {
        let mut hmac = Hmac::<Sha256>::new_from_slice(self.secret.as_bytes()).ok()?;
        hmac.update(message.as_bytes());
        Some(hmac)
    }
}

impl Version {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        std::fs::metadata(path).map(Self::from)
    }
}

impl From<Metadata> for Version {
    fn from(metadata: Metadata) -> Self {
        Self::File { inode: metadata.ino(), modified: (metadata.mtime(), metadata.mtime_nsec()) }
    }
}

fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}
