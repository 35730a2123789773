//! What is used everywhere.

pub use crate::instance::{LocationRef, Size};
