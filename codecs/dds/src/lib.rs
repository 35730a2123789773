//! A DDS (DirectX texture) decoder.

mod bc;
mod decode;
mod error;
mod float;
mod format;
mod header;
mod packed;
mod yuv;

pub use decode::{File, Samples};
pub use error::{Error, Unknown};
pub use format::{Channels, Depth};
