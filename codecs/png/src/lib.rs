//! A lossless PNG encoder (PNG, third edition): it finds the smallest color type and depth, the order of palettes, and the filter
//! of each row, and compresses with `filepress-deflate`.
//!
//! ```
//! use filepress_png::{Color, Picture, Prepared, Settings};
//!
//! let rows = (0..64 * 64).flat_map(|at| [(at % 64) as u8, 0, 0]).collect();
//! let picture = Picture { width: 64, height: 64, color: Color::Rgb { key: None }, depth: 8, rows };
//! let settings = Settings { effort: 4, reduce: true, gray: true };
//! let file = Prepared::new(picture, settings).expect("as many bytes as the size says").encode();
//! assert!(file.len() < 400);
//! ```
//!
//! # Where things are
//!
//! - `picture`: pixels in a color type; `reduce`, `palette`, `palette_order`: other forms of the same pixels.
//! - `filter`, `filter_strategy`: filtered rows; `effort`: what an effort tries; `prepared`: the choice and the coding.
//! - `chunks`: the file; `frames`: a form that all frames of an animation have.

mod chunks;
mod effort;
mod filter;
mod filter_strategy;
mod frames;
mod pack;
mod palette;
mod palette_order;
mod picture;
mod prepared;
mod reduce;

pub use frames::{FrameColors, FrameForm};
pub use picture::{Color, Picture};
pub use prepared::{Prepared, Settings};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
