//! The encoding of an output: its format, and the settings that apply to it.

use std::num::NonZeroU16;

use filepress_wire::MediaType;

use crate::formats::{Build, Format, Traits};
use crate::options::Chroma;
#[cfg(feature = "core")]
use crate::pixels::palette;

/// From this quality on, chroma has full resolution by default: its loss would be visible before that of quantization.
const FULL_CHROMA_QUALITY: u8 = 90;

/// The encoding of an output: the format and its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    format: &'static Format,
    quality: Option<u8>,
    effort: u8,
    colors: Option<NonZeroU16>,
    /// In 255ths.
    dither: u8,
    chroma: Option<Chroma>,
}

impl Encoding {
    /// The lossless encoding of a format; `effort` is 0 to 9.
    pub fn lossless(format: &'static Format, effort: u8) -> Self {
        Self { format, quality: None, effort, colors: None, dither: u8::MAX, chroma: None }
    }

    /// The same encoding with at most so many colors in a palette, which are dithered with a strength of 0 to 1.
    #[must_use]
    pub fn with_palette(self, colors: Option<u16>, dither: f64) -> Self {
        let colors = colors.and_then(NonZeroU16::new);
        Self { colors, dither: (dither * 255.0 + 0.5) as u8, ..self }
    }

    /// The same encoding with this resolution of chroma; `None`: by the quality.
    #[must_use]
    pub fn with_chroma(self, chroma: Option<Chroma>) -> Self {
        Self { chroma, ..self }
    }

    /// The format of the output.
    pub fn format(self) -> &'static Format {
        self.format
    }

    /// The media type of the output.
    pub fn media(self) -> MediaType {
        self.format.media
    }

    /// The quality, 1 to 100. `None` for a lossless encoding.
    pub fn quality(self) -> Option<u8> {
        self.quality
    }

    /// 0 to 9.
    pub fn effort(self) -> u8 {
        self.effort
    }

    /// The most colors of a palette, 2 to 256, if the caller limits them.
    pub fn colors(self) -> Option<u16> {
        self.colors.map(NonZeroU16::get)
    }

    /// The most colors of a palette at this quality.
    #[cfg(feature = "core")]
    pub(crate) fn palette_limit(self) -> usize {
        let limit = palette::colors_for(self.quality.unwrap_or(100));
        self.colors().map_or(limit, |colors| limit.min(colors.into()))
    }

    /// How strongly palettes are dithered, 0 to 1.
    #[cfg(feature = "core")]
    pub(crate) fn dither(self) -> f32 {
        f32::from(self.dither) / 255.0
    }

    /// The resolution of chroma; `None`: by the quality.
    pub fn chroma(self) -> Option<Chroma> {
        self.chroma
    }

    /// Whether chroma has full resolution.
    pub(crate) fn has_full_chroma(self) -> bool {
        match self.chroma {
            Some(chroma) => chroma == Chroma::Full,
            None => self.quality.is_none_or(|quality| quality >= FULL_CHROMA_QUALITY),
        }
    }

    /// The bytes per pixel that the encoder needs beside the pixel itself, if no quality above `highest` is used.
    pub(crate) fn encoder_bytes(self, highest: u8) -> u64 {
        // More chroma takes as much as with the qualities that have it by default.
        let least = if self.has_full_chroma() { FULL_CHROMA_QUALITY } else { 0 };
        (self.format.encoder_bytes)(self.quality.map(|quality| quality.min(highest).max(least)))
    }

    /// Whether the format has all of these properties.
    pub fn has(self, traits: Traits) -> bool {
        self.format.has(traits)
    }

    /// The kinds of pixels that can be stored: a lossy encoding has at most 8 bits per channel.
    #[cfg(feature = "engine")]
    pub(crate) fn pixels(self) -> Traits {
        match self.quality {
            None => self.format.traits,
            Some(_) => self.format.traits.without(Traits::DEEP),
        }
    }

    /// The smallest build with this encoding.
    pub fn build(self) -> Build {
        let transcodes = self.quality.is_none() && self.has(Traits::TRANSCODE);
        if transcodes { Build::Full } else { self.format.build }
    }

    /// The lossy encoding of the same format at a quality. Unchanged if there is none.
    #[must_use]
    pub fn at_quality(self, quality: u8) -> Self {
        match self.has(Traits::QUALITY) {
            true => Self { quality: Some(quality), ..self },
            false => self,
        }
    }

    /// The lossless encoding of the same format and effort.
    #[must_use]
    pub fn without_loss(self) -> Self {
        Self { quality: None, ..self }
    }
}
