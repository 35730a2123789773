//! JPEG (ITU-T T.81, T.871): decoder, encoder and lossless transcoder.
//!
//! ```
//! use filepress_jpeg::{DecodeOptions, Error, read_header};
//!
//! let refused = read_header(b"GIF89a", DecodeOptions::default());
//! assert!(matches!(refused, Err(Error::Corrupt(_))));
//! ```
//!
//! # Where things are
//!
//! - `marker`, `frame`, `scan`, `huffman_spec`, `zigzag`, `coefficients`, `lanes`: what both directions share.
//! - `decode`: from bytes to rows of samples or to coefficients.
//! - `encode`: from pixels or coefficients to bytes.
//! - `recode`: from coefficients to others, of another quality.
//! - `transcode`: lossless recompression, rotation and crop.

mod coefficients;
mod decode;
mod encode;
mod error;
mod frame;
mod huffman_spec;
mod lanes;
mod marker;
mod recode;
mod scan;
mod transcode;
mod zigzag;

pub use coefficients::{Block, Coefficients, ComponentCoefficients, QuantTable};
pub use decode::{
    ColorModel, ComponentSize, Damage, DecodeOptions, Decoder, Header, Limits, Output, decode_coefficients,
    read_header,
};
pub use encode::{
    Color, ComponentPreparer, Encoder, Estimator, Prepared, Preparer, Sampling, Settings, encode,
};
#[doc(hidden)]
pub use encode::{Tuning, encode_with};
pub use error::{Error, Limit};
pub use frame::Process;
pub use recode::{Recoded, prepare_file, recode};
pub use transcode::{Scans, Segments, Turn, marker_segments, write_coefficients};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
