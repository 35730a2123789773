//! What a file claims to be by the fixed fields of its header, read by hand.
//!
//! Decoders refuse what is too large for their arithmetic, or for the memory of a 32-bit machine, before they tell how large
//! that is. Here nothing is checked but that the fields are there.

use filepress_wire::MediaType;

use crate::formats::codec_of;
use crate::formats::decode::{ColorModel, Header};

/// From here on a picture is too large for a 32-bit machine, at 16 bytes for a pixel: it may be looked at, not decoded.
const TOO_LARGE: u64 = 1 << 28;

/// What a header claims.
pub(crate) struct Probe {
    /// Width and height in pixels.
    pub(crate) size: (u32, u32),
    /// There are shades of gray alone.
    pub(crate) gray: bool,
    pub(crate) has_alpha: bool,
    /// Bits a channel.
    pub(crate) bit_depth: u8,
}

/// Width and height in pixels, as claimed; `None` for types whose decoders tell any size.
pub(crate) fn claimed_size(bytes: &[u8], media: MediaType) -> Option<(u32, u32)> {
    (codec_of(media).probe)(bytes).map(|probe| probe.size)
}

/// The header of a picture that is too large to be decoded anywhere; `None` for all others.
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
        decoder_bytes_per_pixel: 8,
    })
}

/// Numbers at their places in a header; `None` where it ends before.
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
