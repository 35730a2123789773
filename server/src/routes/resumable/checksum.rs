//! The extension checksum of tus: a request may come with the hash of its body.

use axum::body::Bytes;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use filepress_wire::ErrorCode;
use http::header::HeaderName;
use http::{HeaderMap, HeaderValue};
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::http::error::{ApiError, Result};

/// The algorithms, as `Tus-Checksum-Algorithm` lists them. The protocol demands SHA-1.
pub(super) const ALGORITHMS: HeaderValue = HeaderValue::from_static("sha1,sha256");

const UPLOAD_CHECKSUM: HeaderName = HeaderName::from_static("upload-checksum");

/// The hash that a body is to have, and that of what has come of it.
pub(super) struct Checksum {
    expected: Vec<u8>,
    hasher: Hasher,
}

enum Hasher {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Checksum {
    /// Reads `Upload-Checksum`: the algorithm, a space, and the hash in base64.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidHeader`] if it is something else, or the algorithm is another one.
    pub(super) fn of(headers: &HeaderMap) -> Result<Option<Self>> {
        let Some(value) = headers.get(UPLOAD_CHECKSUM) else { return Ok(None) };
        Self::parse(value).map(Some).ok_or_else(|| {
            let detail =
                "The header Upload-Checksum must be `sha1` or `sha256`, a space, and the hash in base64.";
            ApiError::new(ErrorCode::InvalidHeader, detail).header_source("Upload-Checksum")
        })
    }

    fn parse(value: &HeaderValue) -> Option<Self> {
        let (algorithm, hash) = value.to_str().ok()?.split_once(' ')?;
        let (hasher, size) = match algorithm {
            "sha1" => (Hasher::Sha1(Sha1::new()), <Sha1 as Digest>::output_size()),
            "sha256" => (Hasher::Sha256(Sha256::new()), <Sha256 as Digest>::output_size()),
            _ => return None,
        };
        let expected = STANDARD.decode(hash).ok()?;
        (expected.len() == size).then_some(Self { expected, hasher })
    }

    /// Adds bytes that have come.
    pub(super) fn update(&mut self, bytes: &Bytes) {
        match &mut self.hasher {
            Hasher::Sha1(hasher) => hasher.update(bytes),
            Hasher::Sha256(hasher) => hasher.update(bytes),
        }
    }

    /// Compares the hashes, once the body has ended.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::ChecksumMismatch`] if they differ.
    pub(super) fn verify(self) -> Result<()> {
        let found = match self.hasher {
            Hasher::Sha1(hasher) => hasher.finalize().to_vec(),
            Hasher::Sha256(hasher) => hasher.finalize().to_vec(),
        };
        if found == self.expected {
            return Ok(());
        }
        let detail =
            "The bytes of this request have another hash than Upload-Checksum says; send them again.";
        Err(ApiError::new(ErrorCode::ChecksumMismatch, detail).header_source("Upload-Checksum"))
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use http::{HeaderMap, HeaderValue};

    use super::{Checksum, UPLOAD_CHECKSUM};

    fn checksum(text: &str) -> Result<Option<Checksum>, crate::http::error::ApiError> {
        Checksum::of(&HeaderMap::from_iter([(UPLOAD_CHECKSUM, HeaderValue::from_str(text).unwrap())]))
    }

    /// The hashes of "abc" in FIPS 180-4.
    #[test]
    fn bytes_are_hashed_as_they_come() {
        for text in
            ["sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=", "sha256 ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="]
        {
            for (parts, is_right) in [([&b"a"[..], b"bc"], true), ([b"ab", b"d"], false)] {
                let mut checksum = checksum(text).unwrap().unwrap();
                for part in parts {
                    checksum.update(&Bytes::from_static(part));
                }
                assert_eq!(checksum.verify().is_ok(), is_right, "{text}");
            }
        }
        assert!(Checksum::of(&HeaderMap::new()).unwrap().is_none());
    }

    #[test]
    fn what_is_no_checksum_is_refused() {
        let sha256_by_another_name = "sha1 ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        for text in ["", "sha1", "sha1 ", "sha1 !", "md5 kAFQmDzST7DWlj99KOF/cg==", sha256_by_another_name] {
            assert!(checksum(text).is_err(), "{text}");
        }
    }
}
