//! [`filepress_text::font`] under the crate name that usvg depends on. `../../README.md` says why.

pub use filepress_text::font::*;
