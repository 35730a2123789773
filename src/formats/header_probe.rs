//! Reads the fixed fields of a header without a decoder.
//!
//! Decoders refuse images that exceed their arithmetic or the memory of a 32-bit machine before they report the size.
//! Here the fields only have to exist.

use filepress_wire::MediaType;

use crate::formats::codec_of;
use crate::formats::decode::{ColorModel, Header, bytes_of_pixels};

/// From this size on, an image at 16 bytes per pixel is too large for a 32-bit machine: it can be inspected, not
/// decoded.
const TOO_LARGE: u64 = 1 << 28;

/// The contents of a header.
pub(crate) struct Probe {
    /// Width and height in pixels.
    pub(crate) size: (u32, u32),
    /// Whether the image is gray.
    pub(crate) gray: bool,
    pub(crate) has_alpha: bool,
    /// Bits per channel.
    pub(crate) bit_depth: u8,
}

/// The declared width and height in pixels. `None` for formats whose decoders report any size.
pub(crate) fn claimed_size(bytes: &[u8], media: MediaType) -> Option<(u32, u32)> {
    (codec_of(media).probe)(bytes).map(|probe| probe.size)
}

/// The header of an image that is too large to be decoded. `None` for others.
pub(crate) fn claimed_header(bytes: &[u8], media: MediaType) -> Option<Header> {
    let codec = codec_of(media);
    let Probe { size: (width, height), gray, has_alpha, bit_depth } = (codec.probe)(bytes)?;
    (u64::from(width) * u64::from(height) >= TOO_LARGE).then_some(Header {
        width,
        height,
        frames: (codec.frame_count)(bytes).max(1),
        scalable: false,
        reducible: false,
        has_alpha,
        color_model: if gray { ColorModel::Gray } else { ColorModel::Rgb },
        bit_depth,
        bytes_per_pixel: 8,
        decoder_bytes: bytes_of_pixels((width, height), 8),
    })
}

/// Numbers at positions of a header. `None` after its end.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl Fields<'_> {
    pub(crate) fn be32(&self, at: usize) -> Option<u32> {
        Some(u32::from_be_bytes(*self.0.get(at..)?.first_chunk()?))
    }

    pub(crate) fn le32(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(*self.0.get(at..)?.first_chunk()?))
    }

    pub(crate) fn le16(&self, at: usize) -> Option<u32> {
        Some(u32::from(u16::from_le_bytes(*self.0.get(at..)?.first_chunk()?)))
    }

    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }
}
