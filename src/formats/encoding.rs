//! The encoding of an output: its format, and the settings that apply to it.

use filepress_wire::MediaType;

use crate::formats::{Build, Format, Traits};

/// The encoding of an output: the format and its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    format: &'static Format,
    quality: Option<u8>,
    effort: u8,
}

impl Encoding {
    /// The lossless encoding of a format; `effort` is 0 to 9.
    pub fn lossless(format: &'static Format, effort: u8) -> Self {
        Self { format, quality: None, effort }
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
