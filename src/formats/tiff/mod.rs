//! TIFF (revision 6.0).

pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod metadata;
