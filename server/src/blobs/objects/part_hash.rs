//! SHA-256 whose state can be kept in the database between two requests, which may arrive at different servers. `Sha256` of the same crate
//! cannot be kept.

use sha2::compress256;
use sha2::digest::generic_array::GenericArray;

/// Bytes that are hashed at once.
const BLOCK: usize = 64;
/// The state before the first byte (FIPS 180-4, section 5.3.3).
const START: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The state after whole blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PartHash([u32; 8]);

impl PartHash {
    /// Before the first byte.
    pub(super) const fn new() -> Self {
        Self(START)
    }

    /// Reads the text form; `None` if it is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut state = [0; 8];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (at, word) in state.iter_mut().enumerate() {
            *word = u32::from_str_radix(text.get(at * 8..at * 8 + 8)?, 16).ok()?;
        }
        Some(Self(state))
    }

    /// The text form.
    pub(super) fn to_text(self) -> String {
        self.0.iter().map(|word| format!("{word:08x}")).collect()
    }

    /// Hashes whole blocks. What is after the last one is not hashed.
    pub(super) fn update(&mut self, blocks: &[u8]) {
        for block in blocks.chunks_exact(BLOCK) {
            let mut copy = GenericArray::default();
            copy.copy_from_slice(block);
            compress256(&mut self.0, std::slice::from_ref(&copy));
        }
    }

    /// Hashes the last bytes and the padding (FIPS 180-4, section 5.1.1). `size` is the number of all bytes. The hash in hexadecimal.
    pub(super) fn finish(mut self, rest: &[u8], size: u64) -> String {
        self.update(rest);
        let mut last = rest[rest.len() - rest.len() % BLOCK..].to_vec();
        last.push(0x80);
        while last.len() % BLOCK != BLOCK - 8 {
            last.push(0);
        }
        last.extend_from_slice(&(size * 8).to_be_bytes());
        self.update(&last);
        self.to_text()
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::PartHash;
    use crate::blobs::folder::hex_digest;

    #[test]
    fn it_is_sha_256_whatever_is_kept_between() {
        let bytes: Vec<u8> = (0..1000_u32).map(|at| (at * 7 % 251) as u8).collect();
        for size in (0..200).chain([1000]) {
            for parts in [0, 1, size / 64] {
                let kept = (parts * 64).min(size / 64 * 64);
                let mut hash = PartHash::new();
                hash.update(&bytes[..kept]);
                let hash = PartHash::parse(&hash.to_text()).unwrap();
                let expected = hex_digest(Sha256::new_with_prefix(&bytes[..size]));
                assert_eq!(hash.finish(&bytes[kept..size], size as u64), expected, "{size} {parts}");
            }
        }
        for text in ["", "0", &"0".repeat(63), &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(PartHash::parse(text), None, "{text}");
        }
    }
}
