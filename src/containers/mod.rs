//! Containers that several formats share: ISOBMFF boxes and TIFF directories.

#[cfg(feature = "photo_avif")]
#[cfg_attr(not(feature = "full"), allow(dead_code))]
pub(crate) mod isobmff;
#[cfg(feature = "pictures")]
#[cfg_attr(not(feature = "full"), allow(dead_code))]
pub(crate) mod tiff_ifd;
#[cfg(feature = "pictures")]
#[cfg_attr(not(feature = "full"), allow(dead_code))]
pub(crate) mod tiff_tags;
