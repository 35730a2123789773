//! [`filepress_text::shaping`] under the crate name that usvg depends on. `../../README.md` says why.

pub use filepress_text::shaping::*;
