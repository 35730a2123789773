//! The names that usvg imports from `skrifa::prelude`.

pub use crate::font::instance::{LocationRef, Size};
