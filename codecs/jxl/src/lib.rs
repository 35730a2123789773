//! Turns JPEG XL (ISO/IEC 18181) into PNG without loss, by the decoder of the crate `jxl`.
//!
//! ```no_run
//! use filepress_jxl::Reader;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("photo.jxl")?;
//! let most = 1 << 30;
//! let reader = Reader::open(&bytes)?;
//! // Here, the caller checks the size in `reader.header()`.
//! let picture = reader.scan(most)?;
//! // And here, that all frames together are not too many pixels.
//! let mut png = Vec::new();
//! picture.write(1 << 30, &mut |part| png.extend_from_slice(part), &mut |_share| {})?;
//! # Ok(())
//! # }
//! ```
//!
//! - Pixels are upright, with 8 bits per channel or, where the file has more for colors, 16; gray stays gray, and alpha is straight.
//! - An animation becomes an APNG, of which each frame has the part that changed.
//! - The color space becomes an ICC profile, or `cICP` code points for PQ and HLG. EXIF and XMP are kept; the EXIF
//!   orientation is reset, since ISO/IEC 18181-2 gives the one of the codestream precedence.
//! - The PNG is not compressed: it is made to be read once, at once.
//!
//! Limits: no inks (CMYK); of the extra channels only alpha, and spot colors as they look; alpha with as many bits as
//! colors, since the decoder tells no other number; samples in floating point are clipped to 0 to 1 and stored with 16
//! bits; lossy pictures with an ICC profile come in sRGB, as the decoder converts to no profile; gain maps and the data
//! that restores a JPEG file are dropped.
//!
//! Files are not trusted. [`Reader::open`] allocates nothing in proportion to the picture, but up to
//! 320 MiB for a color profile; [`Reader::scan`] and [`Picture::write`]
//! take no more memory than the caller allows.
//!
//! # Where things are
//!
//! - `reader`: the passes over a file; `pass`: the decoder in one of them; `header`: what is known before pixels.
//! - `memory`: the memory that decoding takes; `boxes`: EXIF and XMP.
//! - `color`: the color space in PNG's terms; `png`: chunks; `frames`: pixels of stills and animations as chunks.

mod boxes;
mod color;
mod error;
mod frames;
mod header;
mod memory;
mod pass;
mod png;
mod reader;

pub use error::Error;
pub use frames::Outcome;
pub use header::Header;
pub use reader::{Picture, Reader};
