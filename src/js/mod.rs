//! The door to JavaScript: exports, and the translation of values and errors. Nothing is decided here.

#[cfg(feature = "core")]
pub mod engine;
pub mod planner;
mod value;
