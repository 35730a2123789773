//! Containers that several formats share: ISOBMFF boxes and TIFF directories.

pub(crate) mod isobmff;
pub(crate) mod tiff_ifd;
pub(crate) mod tiff_tags;
