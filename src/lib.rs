//! The engine of filepress: compresses and converts images on the device.
//!
//! Data flows one way, and the modules are in that order: the caller's [`options`] and the recognized type ([`media`])
//! become a [`job`], which the pipeline in [`image`] runs within [`limits`]. Only the module `js` depends on
//! JavaScript; everything else is plain Rust and gives identical results natively.

pub mod error;
pub mod limits;
pub mod media;
pub mod options;
pub mod value;

pub mod job;

#[cfg(feature = "pictures")]
#[cfg_attr(not(feature = "core"), allow(dead_code))]
mod animation;
#[cfg(any(feature = "photo_avif", feature = "pictures"))]
mod containers;
mod formats;
#[cfg(feature = "engine")]
pub mod image;
#[cfg(feature = "engine")]
mod metadata;
#[cfg(feature = "engine")]
#[cfg_attr(not(feature = "core"), allow(dead_code))]
mod pixels;
#[cfg(test)]
#[path = "../tests/common/seed.rs"]
mod seed;
#[cfg(feature = "engine")]
mod warning;

#[cfg(feature = "jxl")]
pub mod jxl;

#[cfg(feature = "remote")]
pub mod remote;

#[cfg(target_arch = "wasm32")]
pub mod js;

pub use error::{Error, ErrorCode, ErrorKind, Result};
