//! Containers that several types share.

pub(crate) mod isobmff;
pub(crate) mod tiff_ifd;
pub(crate) mod tiff_tags;
