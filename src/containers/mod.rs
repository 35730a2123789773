//! Containers that several formats share: ISOBMFF boxes and TIFF directories.

#[cfg_attr(not(feature = "full"), allow(dead_code))]
pub(crate) mod isobmff;
#[cfg(feature = "full")]
pub(crate) mod tiff_ifd;
#[cfg(feature = "full")]
pub(crate) mod tiff_tags;
