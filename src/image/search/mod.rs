//! Rate control: searches for the encoding settings that meet a size in bytes or a score.

pub(crate) mod bytes;
pub(crate) mod interpolation_search;
#[cfg(feature = "full")]
pub(crate) mod score;
