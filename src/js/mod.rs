//! The exports to JavaScript, and the conversion of values and errors. It contains no logic of its own.

#[cfg(any(feature = "engine", feature = "remote", feature = "core"))]
mod call;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(all(feature = "jxl", not(feature = "engine")))]
pub mod jxl;
#[cfg(any(feature = "engine", feature = "jxl"))]
pub mod memory;
pub mod panic;
#[cfg(any(feature = "remote", feature = "core"))]
pub mod planner;
mod value;

#[cfg(feature = "remote")]
mod clock;
#[cfg(feature = "remote")]
pub mod executor;
#[cfg(feature = "remote")]
pub mod fetch;
#[cfg(feature = "remote")]
mod json;
#[cfg(feature = "remote")]
pub mod service;

#[cfg(feature = "remote")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
