//! Metadata in files: what each format carries, and what stands in files of other types that no pixel needs, such as comments, which
//! none may keep unasked.
//!
//! Every container is a file that knows two things: how to read metadata, and how to write the same coded pixels with
//! exactly some metadata. The bytes are hostile: reading is total, and what is damaged is as absent.

#[cfg(test)]
mod tests;

use filepress_wire::MediaType;
use image::metadata::Orientation;

use crate::formats::codec_of;
use crate::metadata::Metadata;

/// What files of a type can hold, in bytes; 0 where they cannot hold it at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Carries {
    /// Whether a color profile fits; where not, pixels have to be converted to sRGB.
    pub(crate) icc: bool,
    pub(crate) exif: usize,
    pub(crate) xmp: usize,
    pub(crate) iptc: usize,
}

/// Reads the metadata of a file of a type that [`carries`] some, the profile of a BMP, and whether OpenEXR or Radiance HDR says
/// more than its pixels need. Total: what is damaged is as absent.
pub(crate) fn read(bytes: &[u8], media: MediaType) -> Metadata {
    codec_of(media).read_metadata.map_or_else(Metadata::default, |read| read(bytes)).valid()
}

/// What files of this type can hold.
pub(crate) fn carries(media: MediaType) -> Carries {
    codec_of(media).carries
}

impl Carries {
    /// Nothing beside pixels.
    pub(crate) const NOTHING: Self = Self { icc: false, exif: 0, xmp: 0, iptc: 0 };

    /// Whether a part of `metadata` is lost in a file of this type.
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

/// Whether files of this type are looked through before they are handed back, since they can hold more than pixels.
pub(crate) fn holds(media: MediaType) -> bool {
    codec_of(media).write_metadata.is_some()
}

/// Puts `metadata` into a freshly encoded file; one of a type that [`carries`] none is returned as it is.
///
/// What does not fit is left out; [`Carries::loses`] tells.
pub(crate) fn embed(encoded: Vec<u8>, media: MediaType, metadata: &Metadata) -> Vec<u8> {
    if *metadata == Metadata::default() || !carries(media).icc {
        return encoded;
    }
    write(&encoded, media, metadata).unwrap_or(encoded)
}

/// The coded pixels of `original`, unchanged, with exactly `keep` beside them: no other metadata, no comments, nothing
/// after the end of the image (the video of a "motion photo", for example).
///
/// Pixels that are not upright get an EXIF that says so, since they are not coded again: `orientation` is that of
/// `original`. None when the container has another type or breaks its rules.
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

fn write(file: &[u8], media: MediaType, metadata: &Metadata) -> Option<Vec<u8>> {
    codec_of(media).write_metadata?(file, metadata)
}
