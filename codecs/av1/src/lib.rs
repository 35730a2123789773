//! AV1 still pictures: a decoder for intra frames, and an encoder, written from the AV1 Bitstream & Decoding Process Specification.
//!
//! ```
//! use filepress_av1::{DecodeOptions, Error, Info, Limits, decode};
//!
//! let refused = decode(&[], &Limits::default(), &DecodeOptions::default());
//! assert!(matches!(refused, Err(Error::Corrupt(_))));
//! assert!(Info::read(&[]).is_err());
//! ```
//!
//! # Where things are
//!
//! - `obu`: open bitstream units and the headers in them.
//! - `entropy`: arithmetic coding and the probabilities.
//! - `tile`: the syntax elements of blocks, and their reconstruction in order; `tile::TileState` is what the encoder shares.
//! - `predict`, `transform`: prediction, dequantization and inverse transforms.
//! - `postfilter`: deblocking, CDEF, upscaling and loop restoration.
//! - `film_grain`: the noise that is added to what is shown.
//! - `decoder`: which frame is shown, and the order of all that.
//! - `encode`: the encoder, which has a design of its own in its header.

mod block_size;
#[cfg(feature = "coverage")]
pub mod coverage;
#[cfg(not(feature = "coverage"))]
mod coverage;
mod decoder;
mod encode;
mod entropy;
mod error;
mod few;
mod film_grain;
mod frame;
mod info;
mod limits;
mod obu;
mod picture;
mod plane;
mod postfilter;
mod predict;
mod tile;
mod transform;
mod try_vec;

pub use decoder::decode;
pub use encode::{EncodeOptions, Encoded, encode, encode_with_reconstruction};
pub use error::{Error, Limit};
pub use info::Info;
pub use limits::{DecodeOptions, Limits};
pub use obu::{ChromaSamplePosition, ColorConfig};
pub use picture::{Picture, RowsMut};
pub use plane::PADDING;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
