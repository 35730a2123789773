//! JPEG (ITU-T T.81) in JFIF and EXIF files.

pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod metadata;
pub(crate) mod segments;
#[cfg(feature = "full")]
pub(crate) mod transcode;
