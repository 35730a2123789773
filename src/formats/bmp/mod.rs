//! BMP, the bitmap of Windows.

pub(crate) mod encode;
pub(crate) mod metadata;
