//! API keys: `fp_` and 256 random bits. Only their SHA-256 is stored; with so many bits no slow hash is needed.

use std::fmt;
use std::io;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

const KEY_PREFIX: &str = "fp_";
/// Characters of a key: the prefix and 43 of base64url.
const LENGTH: usize = KEY_PREFIX.len() + 43;
/// Characters that are shown so that a person recognizes a key.
const DISPLAY_LENGTH: usize = 11;

/// An API key. `Debug` prints only its first characters, so that it never gets into a log.
pub struct ApiKey(String);

impl ApiKey {
    /// Generates a key.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn generate() -> io::Result<Self> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        Ok(Self(format!("{KEY_PREFIX}{}", URL_SAFE_NO_PAD.encode(random))))
    }

    /// Parses a key; `None` if the text does not have its form.
    pub fn parse(text: &str) -> Option<Self> {
        let proper = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let fits = text.len() == LENGTH && text.starts_with(KEY_PREFIX) && text.bytes().all(proper);
        fits.then(|| Self(text.to_owned()))
    }

    /// Whether a text begins as keys do.
    pub fn is_prefix(text: &str) -> bool {
        text.starts_with(KEY_PREFIX)
    }

    /// Whether a text contains what may be a key, whatever is around it.
    pub fn is_in(text: &str) -> bool {
        text.match_indices(KEY_PREFIX).any(|(at, _)| {
            let proper = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            text.as_bytes()[at..].iter().take_while(|byte| proper(byte)).count() >= LENGTH
        })
    }

    /// The SHA-256, which the database stores.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// The first 11 characters.
    pub fn prefix(&self) -> &str {
        &self.0[..DISPLAY_LENGTH]
    }

    /// The whole key, to be shown once.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ApiKey({}…)", self.prefix())
    }
}
