//! Radiance HDR (RGBE).

pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod metadata;
