//! Signed URLs of file contents: HMAC-SHA256 over method, path, expiry and length, with keys that can be rotated.
//! `http/links.rs` signs, `routes/content` verifies, and `cli/signing.rs` rotates the keys.
//!
//! Keys and signatures never appear in a log, an error or `Debug` output.

mod keyring;
mod query;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use crate::clock::Timestamp;
use keyring::{Keyring, Version};
use query::Query;

/// Signs and verifies URLs. Cheap to clone.
#[derive(Clone)]
pub struct Signer {
    /// `None`: the keys are in the database.
    path: Option<PathBuf>,
    keys: Arc<RwLock<(Version, Keyring)>>,
}

/// What a valid signature allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UrlGrant {
    /// For an upload, the exact number of bytes.
    pub length: Option<u64>,
    /// When the URL expires, in whole seconds.
    pub expires: Timestamp,
}

/// Why a signed URL is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureError {
    /// The signature does not match: unknown key, other method or path, or a changed URL.
    Invalid,
    /// The URL has expired.
    Expired,
}

impl Signer {
    /// Reads the keys of `data`; creates the first one if there is none.
    ///
    /// # Errors
    /// If the file cannot be read, written or parsed.
    pub fn open(data: &Path) -> io::Result<Self> {
        let path = keyring::file(data);
        let keys = Keyring::open(&path)?;
        Ok(Self { path: Some(path), keys: Arc::new(RwLock::new(keys)) })
    }

    /// Reads the keys of a file that somebody else provides, such as a mounted secret.
    ///
    /// # Errors
    /// If the file cannot be read or parsed.
    pub fn open_file(path: &Path) -> io::Result<Self> {
        let keys = Keyring::read(path)?;
        Ok(Self { path: Some(path.to_owned()), keys: Arc::new(RwLock::new(keys)) })
    }

    /// Takes the keys of a document that the caller keeps; `version` changes with it.
    ///
    /// # Errors
    /// If the document cannot be parsed.
    pub fn with_document(version: i64, document: &str) -> io::Result<Self> {
        let keys = (Version::Database(version), Keyring::parse(document)?);
        Ok(Self { path: None, keys: Arc::new(RwLock::new(keys)) })
    }

    /// Takes the keys of a newer document; false if it has the version in use.
    ///
    /// # Errors
    /// If the document cannot be parsed; the old keys stay in use.
    pub fn update(&self, version: i64, document: &str) -> io::Result<bool> {
        let before = self.keys.read().unwrap_or_else(PoisonError::into_inner).0;
        if Version::Database(version) == before {
            return Ok(false);
        }
        let keys = Keyring::parse(document)?;
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = (Version::Database(version), keys);
        Ok(true)
    }

    /// The document of the keys of `data`; `None` if there is none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn document(data: &Path) -> io::Result<Option<String>> {
        match std::fs::read_to_string(keyring::file(data)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// A document with a first key.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn first_document() -> io::Result<String> {
        Keyring::generate()?.document()
    }

    /// The document with a new signing key; the others stay valid for `keep`.
    ///
    /// # Errors
    /// If the document cannot be parsed, or the system provides no random numbers.
    pub fn rotated_document(document: &str, keep: Duration, now: Timestamp) -> io::Result<String> {
        let mut keys = Keyring::parse(document)?;
        keys.rotate(keep, now)?;
        keys.document()
    }

    /// The document with the valid keys of `other` too, whose signing key becomes an old one that stays valid for `keep`; `None` if it has
    /// them already.
    ///
    /// # Errors
    /// If a document cannot be parsed.
    pub fn merged_document(
        document: &str,
        other: &str,
        keep: Duration,
        now: Timestamp,
    ) -> io::Result<Option<String>> {
        let mut keys = Keyring::parse(document)?;
        let has_more = keys.adopt(Keyring::parse(other)?, keep, now);
        has_more.then(|| keys.document()).transpose()
    }

    /// Creates a new signing key. Older keys stay valid for `keep`, which must cover the lifetime of their URLs. A running service
    /// picks up the new key with [`Signer::refresh`].
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn rotate(data: &Path, keep: Duration, now: Timestamp) -> io::Result<()> {
        let path = keyring::file(data);
        let (_, mut keys) = Keyring::open(&path)?;
        keys.rotate(keep, now)?;
        keys.write(&path)
    }

    /// Reloads the keys if their file has changed; true if it had.
    ///
    /// # Errors
    /// If the file cannot be read or parsed; the old keys stay in use.
    pub fn refresh(&self) -> io::Result<bool> {
        let Some(path) = &self.path else { return Ok(false) };
        let before = self.keys.read().unwrap_or_else(PoisonError::into_inner).0;
        if Version::of(path)? == before {
            return Ok(false);
        }
        let read = Keyring::read(path)?;
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(true)
    }

    /// Returns the query (without `?`) that allows `method` on `path` until `expires`, rounded down to seconds. `length` is the exact
    /// size of an upload.
    pub fn sign(&self, method: &str, path: &str, expires: Timestamp, length: Option<u64>) -> String {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let key = keys.1.current();
        let query = Query { expires: expires.seconds(), length, key: key.id.clone(), signature: Vec::new() };
        let signature = key.mac(&query.message(method, path));
        Query { signature, ..query }.to_string()
    }

    /// Checks that `query` allows `method` on `path` now. The signature is verified in constant time, before the values that it covers
    /// are used.
    ///
    /// # Errors
    /// [`SignatureError`].
    pub fn verify(
        &self,
        method: &str,
        path: &str,
        query: &str,
        now: Timestamp,
    ) -> Result<UrlGrant, SignatureError> {
        let query = Query::parse(query).ok_or(SignatureError::Invalid)?;
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let key = keys.1.find_valid(&query.key, now).ok_or(SignatureError::Invalid)?;
        if !key.verifies(&query.message(method, path), &query.signature) {
            return Err(SignatureError::Invalid);
        }
        if query.expires < now.seconds() {
            return Err(SignatureError::Expired);
        }
        Ok(UrlGrant { length: query.length, expires: Timestamp::from_seconds(query.expires) })
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Signer").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_700_000_000_000_000_000);
    const HOUR: Duration = Duration::from_secs(3600);
    const PATH: &str = "/v1/files/1/content";

    fn signer() -> (tempfile::TempDir, Signer) {
        let data = tempfile::tempdir().unwrap();
        let signer = Signer::open(data.path()).unwrap();
        (data, signer)
    }

    #[test]
    fn a_signature_is_valid_only_for_its_method_path_and_time() {
        let (_data, signer) = signer();
        let query = signer.sign("PUT", PATH, NOW.after(HOUR), Some(17));
        let allowed = Ok(UrlGrant { length: Some(17), expires: NOW.after(HOUR) });
        assert_eq!(signer.verify("PUT", PATH, &query, NOW), allowed);
        assert_eq!(signer.verify("PUT", PATH, &query, NOW.after(HOUR)), allowed);
        assert_eq!(signer.verify("PUT", PATH, &query, NOW.after(2 * HOUR)), Err(SignatureError::Expired));
        assert_eq!(signer.verify("GET", PATH, &query, NOW), Err(SignatureError::Invalid));
        assert_eq!(signer.verify("PUT", "/v1/files/2/content", &query, NOW), Err(SignatureError::Invalid));
    }

    #[test]
    fn every_changed_character_invalidates_a_signature() {
        let (_data, signer) = signer();
        let query = signer.sign("PUT", PATH, NOW.after(HOUR), Some(17));
        for index in 0..query.len() {
            let mut changed = query.clone().into_bytes();
            changed[index] = if changed[index] == b'1' { b'2' } else { b'1' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(signer.verify("PUT", PATH, &changed, NOW), Err(SignatureError::Invalid), "at {index}");
            assert_eq!(
                signer.verify("PUT", PATH, &query[..index], NOW),
                Err(SignatureError::Invalid),
                "cut at {index}"
            );
        }
        assert_eq!(signer.verify("PUT", PATH, &format!("{query}&x=1"), NOW), Err(SignatureError::Invalid));
        assert_eq!(
            signer.verify("PUT", PATH, &format!("{query}&length=18"), NOW),
            Err(SignatureError::Invalid)
        );
    }

    #[test]
    fn signatures_of_another_service_are_invalid() {
        let ((_one, mine), (_two, theirs)) = (signer(), signer());
        let query = theirs.sign("GET", PATH, NOW.after(HOUR), None);
        assert_eq!(mine.verify("GET", PATH, &query, NOW), Err(SignatureError::Invalid));
    }

    #[test]
    fn a_replaced_key_verifies_until_its_urls_have_expired() {
        let (data, signer) = signer();
        let old = signer.sign("GET", PATH, NOW.after(10 * HOUR), None);
        assert!(!signer.refresh().unwrap());
        Signer::rotate(data.path(), 2 * HOUR, NOW).unwrap();
        assert!(signer.refresh().unwrap());
        let new = signer.sign("GET", PATH, NOW.after(10 * HOUR), None);
        assert_ne!(old, new);
        for (query, later, expected) in [
            (&old, HOUR, Ok(UrlGrant { length: None, expires: NOW.after(10 * HOUR) })),
            (&old, 3 * HOUR, Err(SignatureError::Invalid)),
            (&new, 3 * HOUR, Ok(UrlGrant { length: None, expires: NOW.after(10 * HOUR) })),
        ] {
            assert_eq!(signer.verify("GET", PATH, query, NOW.after(later)), expected);
        }
    }

    #[test]
    fn the_key_file_is_private_and_keys_are_not_printed() {
        use std::os::unix::fs::PermissionsExt;
        let (data, signer) = signer();
        let file = keyring::file(data.path());
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(format!("{signer:?}"), "Signer { .. }");
        let again = Signer::open(data.path()).unwrap();
        let query = signer.sign("GET", PATH, NOW.after(HOUR), None);
        assert!(again.verify("GET", PATH, &query, NOW).is_ok());
    }
}
