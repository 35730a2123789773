//! Searches for the settings of an encoding: by bytes, by a score.

pub(crate) mod bytes;
pub(crate) mod interpolation_search;
#[cfg(feature = "full")]
pub(crate) mod score;
