//! Lossless work on files: coefficients are coded again, turned or cropped, and never changed.

mod crop;
mod recompress;
mod segments;
mod turn;

pub use recompress::{Scans, write_coefficients};
pub use segments::{Segments, marker_segments};
pub use turn::Turn;
