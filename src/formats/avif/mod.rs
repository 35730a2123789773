//! AVIF (ISO/IEC 23000-22): AV1 in an ISO base media file.

pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod metadata;
