//! What a file says of its picture before any pixel.

use jxl::api::{ExtraChannel, JxlAnimation, JxlBasicInfo, JxlBitDepth, JxlColorProfile, JxlDecoder};

use crate::error::Error;

/// The facts about a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The width in pixels of the upright picture.
    pub width: u32,
    /// The height in pixels of the upright picture.
    pub height: u32,
    /// Bits per sample of the file, 1 to 32.
    pub bits: u32,
    /// Whether there is one color channel.
    pub gray: bool,
    /// Whether there is an alpha channel.
    pub alpha: bool,
    /// Whether it is an animation.
    pub animated: bool,
    pub(crate) extra_channels: usize,
    /// How often an animation is played; 0 for ever.
    pub(crate) loops: u32,
    /// The seconds of a tick of an animation, as a fraction.
    pub(crate) tick: (u32, u32),
}

impl Header {
    /// The header that a decoder has read, and the length of the color profile. `None` if it has not come to it.
    pub(crate) fn of(decoder: &JxlDecoder) -> Result<Option<(Self, usize)>, Error> {
        let (Some(info), Some(profile)) = (decoder.basic_info(), decoder.embedded_color_profile()) else {
            return Ok(None);
        };
        let length = if let JxlColorProfile::Icc(icc) = profile { icc.len() } else { 0 };
        Ok(Some((Self::new(info, profile)?, length)))
    }

    fn new(info: &JxlBasicInfo, profile: &JxlColorProfile) -> Result<Self, Error> {
        let side = |side: usize| u32::try_from(side).ok().filter(|side| (1..1 << 31).contains(side));
        let (Some(width), Some(height)) = (side(info.size.0), side(info.size.1)) else {
            return Err(Error::damaged("its size is not valid"));
        };
        let has = |kind| info.extra_channels.iter().any(|channel| channel.ec_type == kind);
        if profile.is_cmyk() || has(ExtraChannel::Black) {
            return Err(Error::Unsupported("JPEG XL with inks (CMYK) is not read."));
        }
        let JxlAnimation { tps_numerator, tps_denominator, num_loops, .. } =
            info.animation.clone().unwrap_or(JxlAnimation {
                tps_numerator: 1,
                tps_denominator: 1,
                num_loops: 0,
                have_timecodes: false,
            });
        let (JxlBitDepth::Int { bits_per_sample: bits } | JxlBitDepth::Float { bits_per_sample: bits, .. }) =
            info.bit_depth;
        Ok(Self {
            width,
            height,
            bits,
            gray: profile.channels() == 1,
            alpha: has(ExtraChannel::Alpha),
            animated: info.animation.is_some(),
            extra_channels: info.extra_channels.len(),
            loops: num_loops,
            tick: (tps_denominator, tps_numerator),
        })
    }

    /// Width × height.
    pub fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// The bytes of the PNG for one frame, about.
    pub fn frame_bytes(&self) -> u64 {
        self.pixels().saturating_mul(self.pixel_bytes() as u64)
    }

    /// Whether the PNG has 16 bits per sample rather than 8.
    pub(crate) fn deep(&self) -> bool {
        self.bits > 8
    }

    pub(crate) fn pixel_bytes(&self) -> usize {
        let channels = if self.gray { 1 } else { 3 } + usize::from(self.alpha);
        channels * if self.deep() { 2 } else { 1 }
    }

    /// The bytes of a row, which are as many as an address can have at most.
    pub(crate) fn row_bytes(&self) -> usize {
        (self.width as usize).saturating_mul(self.pixel_bytes())
    }
}
