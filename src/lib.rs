//! The engine of filepress: makes images smaller or another format, on the device.
//!
//! Data flows one way, and the modules stand in that order: what the caller said ([`options`]) and what the bytes are
//! ([`media`]) become a decision ([`job`]), which the image pipeline ([`image`]) carries out within [`limits`]. Only the
//! `js` module knows that a JavaScript host exists; everything else is plain Rust and runs natively with identical results.

pub mod error;
pub mod limits;
pub mod media;
pub mod options;
pub mod value;

pub mod job;

#[cfg(feature = "core")]
mod animation;
#[cfg(feature = "full")]
mod containers;
mod formats;
#[cfg(feature = "photo")]
pub mod image;
#[cfg(feature = "photo")]
mod metadata;
#[cfg(feature = "photo")]
#[cfg_attr(not(feature = "core"), allow(dead_code))]
mod pixels;
#[cfg(feature = "photo")]
mod warning;

#[cfg(feature = "remote")]
pub mod remote;

#[cfg(target_arch = "wasm32")]
pub mod js;

pub use error::{Error, ErrorCode, ErrorKind, Result};
