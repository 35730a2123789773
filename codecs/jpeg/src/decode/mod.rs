//! The decoder: from the bytes of a file to rows of samples, or to quantized coefficients.
//!
//! - `segments`, `headers`, `tables`, `color_model`: what precedes the entropy-coded data.
//! - `options`: what the caller asks for, and limits.

mod color_model;
mod headers;
mod options;
mod segments;
mod tables;

pub use color_model::ColorModel;
pub use headers::{Header, read_header};
pub use options::{DecodeOptions, Limits};
