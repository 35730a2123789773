//! GIF (GIF89a).

pub(crate) mod animation_decode;
pub(crate) mod animation_encode;
pub(crate) mod encode;
pub(crate) mod metadata;
