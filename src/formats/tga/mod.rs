//! TGA (Truevision).

pub(crate) mod metadata;
