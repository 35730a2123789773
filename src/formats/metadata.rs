//! Metadata in files: what each format can carry, and data that no pixel needs, such as comments, which is never kept
//! unless asked for.
//!
//! What a format carries is the member `carries` of its `CODEC` (`formats/*/mod.rs`): JPEG, PNG, WebP, AVIF and TIFF
//! carry ICC profiles, EXIF and XMP; JPEG and TIFF also carry IPTC; the others carry none of these.
//!
//! Each container module has two functions: one reads metadata, the other writes the same encoded pixels with exactly
//! the given metadata. The input is hostile: reading never fails, and damaged metadata counts as absent.

#[cfg(test)]
mod tests;

use filepress_wire::MediaType;
use image::metadata::Orientation;

use crate::formats::codec_of;
use crate::metadata::Metadata;

/// The maximum sizes of metadata in a format, in bytes. 0: it cannot be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Carries {
    /// Whether a color profile can be stored. Otherwise pixels are converted to sRGB.
    pub(crate) icc: bool,
    pub(crate) exif: usize,
    pub(crate) xmp: usize,
    pub(crate) iptc: usize,
}

/// Reads the metadata of a file whose format [`carries`] some, the profile of a BMP, and whether an OpenEXR or Radiance
/// HDR file has unneeded attributes. Never fails: damaged metadata counts as absent.
pub(crate) fn read(bytes: &[u8], media: MediaType) -> Metadata {
    codec_of(media).read_metadata.map_or_else(Metadata::default, |read| read(bytes)).valid()
}

/// What the format can carry.
pub(crate) fn carries(media: MediaType) -> Carries {
    codec_of(media).carries
}

impl Carries {
    /// No metadata.
    pub(crate) const NOTHING: Self = Self { icc: false, exif: 0, xmp: 0, iptc: 0 };

    /// Whether the format loses a part of `metadata`.
    pub(crate) fn loses(self, metadata: &Metadata) -> bool {
        let over =
            |value: &Option<Vec<u8>>, limit: usize| value.as_ref().is_some_and(|value| value.len() > limit);
        metadata.other
            || (metadata.icc.is_some() && !self.icc)
            || over(&metadata.exif, self.exif)
            || over(&metadata.xmp, self.xmp)
            || over(&metadata.iptc, self.iptc)
    }
}

/// Whether files of this format are cleaned before they are returned, because they can contain more than pixels.
pub(crate) fn holds(media: MediaType) -> bool {
    codec_of(media).write_metadata.is_some()
}

/// Adds `metadata` to a newly encoded file. A file whose format [`carries`] none is returned unchanged.
///
/// Metadata that cannot be stored is dropped; [`Carries::loses`] tells.
pub(crate) fn embed(encoded: Vec<u8>, media: MediaType, metadata: &Metadata) -> Vec<u8> {
    if *metadata == Metadata::default() || !carries(media).icc {
        return encoded;
    }
    write(&encoded, media, metadata).unwrap_or(encoded)
}

/// The encoded pixels of `original`, unchanged, with exactly `keep`: no other metadata, no comments, nothing after the
/// end of the image (for example the video of a "motion photo").
///
/// Pixels that are not upright get an EXIF orientation, because they are not re-encoded: `orientation` is that of
/// `original`. `None` if the container has another format or is malformed.
pub(crate) fn rewrite(
    original: &[u8],
    media: MediaType,
    keep: &Metadata,
    orientation: Orientation,
) -> Option<Vec<u8>> {
    if orientation == Orientation::NoTransforms {
        return write(original, media, keep);
    }
    write(original, media, &keep.clone().turned(orientation))
}

/// The encoded pixels with exactly this metadata. `None` if the container has another format or is malformed.
pub(crate) fn write(file: &[u8], media: MediaType, metadata: &Metadata) -> Option<Vec<u8>> {
    codec_of(media).write_metadata?(file, metadata)
}
