//! Metadata, independent of the format: ICC profile, EXIF, XMP and IPTC, and which of them a policy keeps.

#[cfg(feature = "pictures")]
pub(crate) mod code_points;
pub(crate) mod exif;
pub(crate) mod gain_map;
#[cfg(feature = "full")]
pub(crate) mod gain_map_parameters;
pub(crate) mod icc;
pub(crate) mod iptc;
#[cfg(feature = "pictures")]
pub(crate) mod matrix_profile;
pub(crate) mod xmp;

use image::metadata::Orientation;

#[cfg(feature = "pictures")]
use crate::metadata::code_points::CodePoints;
use crate::options::MetadataPolicy;

pub(crate) use icc::is_srgb;
#[cfg(feature = "full")]
pub(crate) use icc::{has_p3_primaries, tag as icc_tag};

/// The most bytes that one compressed metadata block may expand to; a larger block is ignored.
pub(crate) const MAX_DECOMPRESSED: usize = 16 << 20;

/// The metadata of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    /// The ICC profile of the pixels; absent means sRGB.
    pub(crate) icc: Option<Vec<u8>>,
    /// Code points that say more of the pixels than a profile can. They come before it.
    #[cfg(feature = "pictures")]
    pub(crate) code_points: Option<CodePoints>,
    /// EXIF as a TIFF structure, without the prefix `Exif\0\0`.
    pub(crate) exif: Option<Vec<u8>>,
    /// The XMP packet, UTF-8. The extended part that a JPEG can have is not read.
    pub(crate) xmp: Option<Vec<u8>>,
    /// IPTC-IIM records, as in the Photoshop resource 0x0404.
    pub(crate) iptc: Option<Vec<u8>>,
    /// Whether there is more that no output can carry: comments, text chunks, extended XMP.
    pub(crate) other: bool,
    /// Whether the file has an HDR gain map beside its picture.
    pub(crate) gain_map: bool,
}

impl Metadata {
    /// The same without blocks that no reader could use.
    pub(crate) fn valid(self) -> Self {
        Self {
            icc: self.icc.and_then(icc::profile),
            exif: self.exif.and_then(exif::unprefixed),
            xmp: self.xmp.filter(|xmp| !xmp.is_empty() && std::str::from_utf8(xmp).is_ok()),
            ..self
        }
    }

    /// The same with the orientation of pixels that are not turned upright.
    pub(crate) fn turned(mut self, orientation: Orientation) -> Self {
        self.exif = Some(exif::with_orientation(self.exif.take(), orientation));
        if let Some(xmp) = &mut self.xmp {
            xmp::set_orientation(xmp, orientation);
        }
        self
    }

    /// The same for an image of `size` in pixels that has other pixels than the one it was written for.
    pub(crate) fn reframed(mut self, size: (u32, u32)) -> Self {
        if let Some(exif) = &mut self.exif {
            exif::reframe(exif, size);
        }
        self.xmp = self.xmp.map(xmp::without_thumbnails);
        self
    }

    /// Whether there is a location, in EXIF or XMP.
    pub(crate) fn has_gps(&self) -> bool {
        self.exif.as_deref().is_some_and(exif::has_gps)
            || self.xmp.as_deref().is_some_and(|xmp| xmp::find(xmp, 0, b"exif:GPSLatitude").is_some())
    }

    /// The orientation: tag 0x0112 of the first EXIF directory, if valid.
    pub(crate) fn orientation(&self) -> Orientation {
        self.exif.as_deref().and_then(exif::orientation).unwrap_or(Orientation::NoTransforms)
    }

    /// The metadata that `policy` keeps, for pixels that were turned upright.
    ///
    /// `Safe`: the profile, and author and copyright from EXIF. `Keep`: everything, with the orientation set to
    /// "upright" in EXIF and XMP, and without the properties of a gain map. `Strip`: the profile, unless it is sRGB. Code points
    /// stay as a profile does.
    pub(crate) fn retain(self, policy: MetadataPolicy) -> Self {
        match policy {
            MetadataPolicy::Keep => {
                let kept = self.upright();
                Self { xmp: kept.xmp.and_then(gain_map::removed), gain_map: false, ..kept }
            }
            MetadataPolicy::Safe => {
                let exif = self.exif.as_deref().and_then(exif::essentials);
                Self { exif, ..self.colors() }
            }
            MetadataPolicy::Strip => {
                let colors = self.colors();
                Self { icc: colors.icc.filter(|icc| !is_srgb(icc)), ..colors }
            }
        }
    }

    /// What says the meaning of the pixels' colors, alone.
    fn colors(self) -> Self {
        Self {
            icc: self.icc,
            #[cfg(feature = "pictures")]
            code_points: self.code_points,
            ..Self::default()
        }
    }

    /// The same without it.
    pub(crate) fn without_colors(self) -> Self {
        Self {
            icc: None,
            #[cfg(feature = "pictures")]
            code_points: None,
            ..self
        }
    }

    /// The same with orientation 1, in place.
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
