//! A DDS (DirectX texture) decoder and encoder: the first surface of a file, and files of one surface.
//!
//! ```
//! use filepress_dds::{Blocks, File, Samples, encode_blocks};
//!
//! let file = encode_blocks(Blocks::Bc4, 8, 4, &[200; 32])?;
//! let read = File::new(&file)?;
//! assert_eq!((read.width(), read.height()), (8, 4));
//! assert_eq!(read.decode(1_000)?, Samples::U8(vec![200; 32]));
//! # Ok::<(), filepress_dds::Error>(())
//! ```
//!
//! Decoded are the uncompressed formats of DXGI but those of whole numbers and of depths, bit masks, YUV packed, in pairs
//! and in planes, BC1 to BC7, and ASTC with a low dynamic range. Every number is the same on every machine.
//!
//! # Where things are
//!
//! - `header`: from the bytes to a format; `format`: the table of formats; `decode`: from a format to samples.
//! - `sample`, `packed`, `float`, `yuv`: pixels by themselves, in pairs and in planes.
//! - `bc`: blocks; `bc::partitions`: how BC6H and BC7 divide them.
//! - `encode`: headers and blocks; `encode::fit`: the line of colors that is nearest to others.

mod bc;
mod decode;
mod encode;
mod error;
mod float;
mod format;
mod header;
mod packed;
mod sample;
mod yuv;

pub use decode::{File, Samples};
pub use encode::{Blocks, Pixels, encode, encode_blocks};
pub use error::{Error, Unknown};
pub use sample::{Channels, Depth};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
