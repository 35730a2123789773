//! The decoder: from the bytes of a file to rows of samples, or to quantized coefficients.
//!
//! - `options`, `decoder`, `coefficients`: what callers see.
//! - `segments`, `headers`, `tables`, `color_model`: what precedes the entropy-coded data.
//! - `entropy`, `scan_decoder`, `packed`, `store`: from entropy-coded data to coefficients, with restarts and recovery.
//! - `layout`, `idct`, `band`, `upsample`, `color`, `rows`: from coefficients to rows of pixels.
//! - `damage`: what was lost.

mod band;
mod coefficients;
mod color;
mod color_model;
mod damage;
mod decoder;
mod entropy;
mod headers;
mod idct;
mod layout;
mod options;
mod packed;
mod rows;
mod sample;
mod scan_decoder;
mod segments;
mod store;
mod tables;
mod upsample;

pub use coefficients::decode_coefficients;
pub use color::Output;
pub use color_model::ColorModel;
pub use damage::Damage;
pub use decoder::Decoder;
pub use headers::{Header, read_header};
pub use layout::ComponentSize;
pub use options::{DecodeOptions, Limits};

pub(crate) use damage::Tally;
pub(crate) use entropy::Order;
pub(crate) use headers::Headers;
pub(crate) use layout::Layout;
pub(crate) use scan_decoder::{BlockDecoder, BlockSink, ScanDecoder};
pub(crate) use segments::Segments;
pub(crate) use store::Store;
