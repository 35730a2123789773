//! ICO, the icon of Windows.

pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod metadata;
