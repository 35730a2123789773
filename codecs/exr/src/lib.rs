//! A decoder for OpenEXR, and an encoder of its compression PIZ ("OpenEXR File Layout" and "Technical Introduction to OpenEXR", openexr.com).
//!
//! ```no_run
//! use filepress_exr::{File, Part};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("light.exr")?;
//! let file = File::read(&bytes)?;
//! let part = Part::of(&file.parts()[0])?;
//! let (width, height) = part.data.size().ok_or("no pixels")?;
//! // Here, the caller checks the size, and `part.memory()`.
//! let mut first = vec![0.0; width as usize * height as usize];
//! let channel = part.channels[0];
//! file.decode(0, &part, &mut |block| {
//!     for (y, row) in (block.top..).zip(block.rows(&channel)) {
//!         let start = y as usize * width as usize + block.left as usize;
//!         for (x, sample) in row.chunks_exact(channel.kind.size()).enumerate() {
//!             first[start + x] = channel.kind.number(sample);
//!         }
//!     }
//! })?;
//! # Ok(())
//! # }
//! ```
//!
//! Scan lines and tiles, several parts, every compression of OpenEXR 3.3. [`piz`] compresses blocks for files that the
//! caller writes.
//!
//! Limits: no deep data, no subsampled channels, no JPEG 2000 (HTJ2K), of several levels of detail only the first; 1,024
//! parts of 64 channels; coordinates up to 2²⁴.
//!
//! Files are not trusted: what is allocated follows from the sizes in the header, which the caller has checked, and no block is
//! decoded twice, nor more bytes than the file has.
//!
//! # Where things are
//!
//! - `input`: numbers and names; `header`, `channel`, `window`, `part`: what is before the blocks.
//! - `blocks`: the offset table, lines and tiles; `shape`: what a block holds.
//! - `compression`: a module for each, with what they share in `bytes`; `half`: 16-bit floats.

mod blocks;
mod channel;
mod compression;
mod error;
pub mod half;
mod header;
mod input;
mod part;
mod shape;
mod window;

pub use blocks::Block;
pub use channel::{Channel, Kind};
pub use compression::Compression;
pub use compression::piz::encode as piz;
pub use error::{Error, Result};
pub use header::{File, Header};
pub use part::{Chromaticities, Part};
pub use window::Window;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
