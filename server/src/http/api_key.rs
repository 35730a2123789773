//! API keys: `fp_` and 256 random bits. Only their SHA-256 is stored; with so many bits no slow hash is needed.

use std::fmt;
use std::io;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

const KEY_PREFIX: &str = "fp_";
/// Characters of a key: the mark and 43 of base64url.
const LENGTH: usize = KEY_PREFIX.len() + 43;
/// Characters by which a person recognizes a key.
const DISPLAY_LENGTH: usize = 11;

/// A key, whole. Never logged: `Debug` shows the prefix alone.
pub struct ApiKey(String);

impl ApiKey {
    /// A new one.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn generate() -> io::Result<Self> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        Ok(Self(format!("{KEY_PREFIX}{}", URL_SAFE_NO_PAD.encode(random))))
    }

    /// The text, if it has the form of a key.
    pub fn parse(text: &str) -> Option<Self> {
        let proper = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let fits = text.len() == LENGTH && text.starts_with(KEY_PREFIX) && text.bytes().all(proper);
        fits.then(|| Self(text.to_owned()))
    }

    /// What is stored and looked up.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// The first 11 characters.
    pub fn prefix(&self) -> &str {
        &self.0[..DISPLAY_LENGTH]
    }

    /// The whole text, to be shown once.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ApiKey({}…)", self.prefix())
    }
}
