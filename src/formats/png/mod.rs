//! PNG (third edition), with APNG.

pub(crate) mod animation_decode;
pub(crate) mod color_chunks;
pub(crate) mod encode;
pub(crate) mod metadata;
