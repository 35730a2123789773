//! What travels beside the pixels: color profile, EXIF, XMP and IPTC, as far as [`carries`] says; and what stands in files of
//! other types that no pixel needs, such as comments, which none may keep unasked.
//!
//! Every container is a file that knows two things: how to read metadata, and how to write the same coded pixels with
//! exactly some metadata. The bytes are hostile: reading is total, and what is damaged is as absent.

pub(crate) mod exif;
pub(crate) mod icc;
pub(crate) mod iptc;
#[cfg(feature = "core")]
pub(crate) mod matrix_profile;
#[cfg(feature = "core")]
mod trailing_data;
pub(crate) mod xmp;

#[cfg(test)]
mod tests;

use filepress_wire::MediaType;
use image::metadata::Orientation;

#[cfg(feature = "full")]
use crate::formats::{
    avif::metadata as avif, exr::metadata as exr, hdr::metadata as hdr, tiff::metadata as tiff,
};
#[cfg(feature = "core")]
use crate::formats::{
    bmp::metadata as bmp, gif::metadata as gif, ico::metadata as ico, png::metadata as png,
    pnm::metadata as pnm, tga::metadata as tga,
};
use crate::formats::{jpeg::metadata as jpeg, webp::metadata as webp};
use crate::options::MetadataPolicy;

pub(crate) use icc::is_srgb;
#[cfg(feature = "full")]
pub(crate) use icc::tag as icc_tag;

/// The most bytes that one compressed piece of metadata may unfold to; more is as absent.
pub(crate) const MAX_UNFOLDED: usize = 16 << 20;

/// What a file says beside its pixels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    /// The ICC profile that the pixels are in; absent means sRGB.
    pub(crate) icc: Option<Vec<u8>>,
    /// EXIF as a TIFF structure, without the prefix `Exif\0\0`.
    pub(crate) exif: Option<Vec<u8>>,
    /// The XMP packet, UTF-8. The extended part that a JPEG can have is not read.
    pub(crate) xmp: Option<Vec<u8>>,
    /// IPTC-IIM records, as in the Photoshop resource 0x0404.
    pub(crate) iptc: Option<Vec<u8>>,
    /// There is more that no output carries: comments, text chunks, extended XMP.
    pub(crate) other: bool,
}

/// What files of a type can hold, in bytes; 0 where they cannot hold it at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Carries {
    /// Whether a color profile fits; where not, pixels have to be converted to sRGB.
    pub(crate) icc: bool,
    exif: usize,
    xmp: usize,
    iptc: usize,
}

/// Reads the metadata of a file of a type that [`carries`] some, the profile of a BMP, and whether OpenEXR or Radiance HDR says
/// more than its pixels need. Total: what is damaged is as absent.
pub(crate) fn read(bytes: &[u8], media: MediaType) -> Metadata {
    let found = match media {
        MediaType::Jpeg => jpeg::read(bytes),
        #[cfg(feature = "core")]
        MediaType::Png => png::read(bytes),
        #[cfg(feature = "core")]
        MediaType::Webp => webp::read(bytes),
        #[cfg(feature = "full")]
        MediaType::Avif => avif::read(bytes),
        #[cfg(feature = "full")]
        MediaType::Tiff => tiff::read(bytes),
        #[cfg(feature = "core")]
        MediaType::Bmp => bmp::read(bytes),
        #[cfg(feature = "full")]
        MediaType::Exr => exr::read(bytes),
        #[cfg(feature = "full")]
        MediaType::Hdr => hdr::read(bytes),
        _ => Metadata::default(),
    };
    Metadata {
        icc: found.icc.and_then(icc::profile),
        exif: found.exif.and_then(exif::unprefixed),
        xmp: found.xmp.filter(|xmp| !xmp.is_empty() && std::str::from_utf8(xmp).is_ok()),
        ..found
    }
}

/// What files of this type can hold.
pub(crate) fn carries(media: MediaType) -> Carries {
    match media {
        MediaType::Jpeg => {
            Carries { icc: true, exif: jpeg::MAX_EXIF, xmp: jpeg::MAX_XMP, iptc: jpeg::MAX_IPTC }
        }
        #[cfg(feature = "core")]
        MediaType::Png => Carries { icc: true, exif: png::MAX_DATA, xmp: png::MAX_XMP, iptc: 0 },
        MediaType::Webp => Carries { icc: true, exif: webp::MAX_DATA, xmp: webp::MAX_DATA, iptc: 0 },
        #[cfg(feature = "full")]
        MediaType::Avif => Carries { icc: true, exif: avif::MAX_DATA, xmp: avif::MAX_DATA, iptc: 0 },
        #[cfg(feature = "full")]
        MediaType::Tiff => {
            Carries { icc: true, exif: tiff::MAX_DATA, xmp: tiff::MAX_DATA, iptc: tiff::MAX_DATA }
        }
        _ => Carries { icc: false, exif: 0, xmp: 0, iptc: 0 },
    }
}

impl Carries {
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

impl Metadata {
    /// How the pixels are to be turned for display: tag 0x0112 of the first directory of EXIF, if it is valid.
    pub(crate) fn orientation(&self) -> Orientation {
        self.exif.as_deref().and_then(exif::orientation).unwrap_or(Orientation::NoTransforms)
    }

    /// What `policy` leaves, for pixels that have been turned upright.
    ///
    /// `Safe`: the profile, and of EXIF author and copyright. `Keep`: everything, with the orientation set to "upright"
    /// in EXIF and XMP. `Strip`: the profile, unless it is sRGB's.
    pub(crate) fn retain(self, policy: MetadataPolicy) -> Self {
        match policy {
            MetadataPolicy::Keep => self.upright(),
            MetadataPolicy::Safe => {
                let exif = self.exif.as_deref().and_then(exif::essentials);
                Self { icc: self.icc, exif, ..Self::default() }
            }
            MetadataPolicy::Strip => Self { icc: self.icc.filter(|icc| !is_srgb(icc)), ..Self::default() },
        }
    }

    /// The same with the orientation 1, in place.
    fn upright(mut self) -> Self {
        if let Some(exif) = &mut self.exif {
            exif::set_orientation(exif, Orientation::NoTransforms);
        }
        if let Some(xmp) = &mut self.xmp {
            xmp::set_orientation(xmp, Orientation::NoTransforms);
        }
        self
    }
}

/// Whether files of this type are looked through before they are handed back, since they can hold more than pixels.
pub(crate) fn holds(media: MediaType) -> bool {
    let plain = matches!(
        media,
        MediaType::Gif
            | MediaType::Bmp
            | MediaType::Ico
            | MediaType::Pnm
            | MediaType::Tga
            | MediaType::Qoi
            | MediaType::Farbfeld
            | MediaType::Exr
            | MediaType::Hdr
    );
    plain || carries(media).icc
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
    let mut turned = keep.clone();
    turned.exif = Some(exif::with_orientation(turned.exif.take(), orientation));
    if let Some(xmp) = &mut turned.xmp {
        xmp::set_orientation(xmp, orientation);
    }
    write(original, media, &turned)
}

fn write(file: &[u8], media: MediaType, metadata: &Metadata) -> Option<Vec<u8>> {
    match media {
        MediaType::Jpeg => jpeg::write(file, metadata),
        #[cfg(feature = "core")]
        MediaType::Png => png::write(file, metadata),
        MediaType::Webp => webp::write(file, metadata),
        #[cfg(feature = "full")]
        MediaType::Avif => avif::write(file, metadata),
        #[cfg(feature = "core")]
        MediaType::Gif => gif::write(file),
        #[cfg(feature = "full")]
        MediaType::Tiff => tiff::write(file, metadata),
        #[cfg(feature = "core")]
        MediaType::Bmp => bmp::write(file, metadata),
        #[cfg(feature = "core")]
        MediaType::Ico => ico::write(file),
        #[cfg(feature = "core")]
        MediaType::Pnm => pnm::write(file),
        #[cfg(feature = "core")]
        MediaType::Tga => tga::write(file),
        #[cfg(feature = "core")]
        MediaType::Qoi => trailing_data::qoi(file),
        #[cfg(feature = "core")]
        MediaType::Farbfeld => trailing_data::farbfeld(file),
        #[cfg(feature = "full")]
        MediaType::Exr => exr::write(file),
        #[cfg(feature = "full")]
        MediaType::Hdr => hdr::write(file),
        _ => None,
    }
}
