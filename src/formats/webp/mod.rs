//! WebP (RFC 9649).

#[cfg(feature = "core")]
pub(crate) mod animation_decode;
#[cfg(feature = "core")]
pub(crate) mod animation_encode;
#[cfg(feature = "core")]
pub(crate) mod decode;
pub(crate) mod encode;
#[cfg_attr(not(feature = "core"), allow(dead_code))]
pub(crate) mod metadata;
