//! What is used everywhere.

pub use crate::font::instance::{LocationRef, Size};
