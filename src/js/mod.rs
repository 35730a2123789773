//! The door to JavaScript: exports, and the translation of values and errors. Nothing is decided here.

#[cfg(feature = "photo")]
pub mod engine;
pub mod planner;
mod value;

#[cfg(feature = "remote")]
pub mod calls;
#[cfg(feature = "remote")]
mod clock;
#[cfg(feature = "remote")]
pub mod fetch;
#[cfg(feature = "remote")]
mod json;
#[cfg(feature = "remote")]
pub mod service;

#[cfg(feature = "remote")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
