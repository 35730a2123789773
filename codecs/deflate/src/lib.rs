//! An encoder for DEFLATE (RFC 1951) in its containers: zlib (RFC 1950) and gzip (RFC 1952).
//!
//! ```
//! use filepress_deflate::{Container, Encoder, Level, compress};
//!
//! let text = b"a rose is a rose is a rose".repeat(40);
//! let whole = compress(&text, Container::Zlib, Level::Optimal);
//! assert!(whole.len() < 60);
//!
//! let mut encoder = Encoder::new(Container::Zlib, Level::Optimal);
//! text.chunks(100).for_each(|part| encoder.write(part));
//! assert_eq!(encoder.finish(), whole);
//! ```
//!
//! The same call yields the same bytes on every machine: all costs are integers.
//!
//! # Where things are
//!
//! - `encoder`: the stream, its segments and containers; `level`: the compression levels.
//! - `match_finder`: hash chains, binary trees, and runs of one byte; `lanes`: sixteen numbers at a time.
//! - `greedy`, `lazy`, `optimal`: from bytes to tokens; `cost`: what tokens cost.
//! - `block_split`, `block`, `code_header`, `huffman`, `bit_writer`: from tokens to bits.
//! - `symbols`, `histogram`: the alphabets.
//! - `estimate`: what bytes will cost, for callers who choose among several forms.
//! - `checksum`: Adler-32 and CRC-32.

mod bit_writer;
mod block;
mod block_split;
mod checksum;
mod code_header;
mod cost;
mod encoder;
mod estimate;
mod greedy;
mod histogram;
mod huffman;
mod lanes;
mod lazy;
mod level;
mod match_finder;
mod optimal;
mod symbols;

pub use checksum::{Adler32, Crc32};
pub use encoder::{Container, Encoder};
pub use estimate::{BlockEstimator, Estimator, LiteralCosts};
pub use level::Level;

/// Compresses bytes to a stream.
pub fn compress(bytes: &[u8], container: Container, level: Level) -> Vec<u8> {
    let mut encoder = Encoder::new(container, level);
    encoder.write(bytes);
    encoder.finish()
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
