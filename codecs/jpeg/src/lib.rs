//! JPEG (ITU-T T.81, T.871): decoder, encoder and lossless transcoder.
//!
//! ```no_run
//! use filepress_jpeg::{DecodeOptions, Decoder};
//!
//! let file = std::fs::read("photo.jpg")?;
//! let mut decoder = Decoder::new(&file, DecodeOptions::default())?;
//! decoder.set_scale(4)?;
//! let (width, height) = decoder.size();
//! let mut band = vec![0; width as usize * decoder.samples_per_pixel() * 16];
//! while decoder.read_rows(&mut band)? > 0 {}
//! println!("{width} × {height}, damage: {:?}", decoder.damage());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! - `marker`, `frame`, `scan`, `huffman_spec`, `zigzag`, `coefficients`: what both directions share.
//! - `decode`: from bytes to rows of samples or to coefficients.
//! - `encode`: from pixels or coefficients to bytes.
//! - `transcode`: lossless recompression, rotation and crop.

mod coefficients;
mod decode;
mod encode;
mod error;
mod frame;
mod huffman_spec;
mod marker;
mod scan;
mod transcode;
mod zigzag;

pub use coefficients::{Block, Coefficients, ComponentCoefficients, QuantTable};
pub use decode::{
    ColorModel, Damage, DecodeOptions, Decoder, Header, Limits, Output, decode_coefficients, read_header,
};
pub use error::{Error, Limit};
pub use frame::Process;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
