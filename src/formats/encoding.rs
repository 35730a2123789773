//! How an output is encoded: its type, and the settings that have a meaning there.

use filepress_wire::MediaType;

use crate::formats::{Build, Format, Traits};

/// The effort that takes the encoder of the build `full`.
const HIGHEST_EFFORT: u8 = 9;

/// How an output is encoded: the type and its settings.
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

    /// The type of the output.
    pub fn media(self) -> MediaType {
        self.format.media
    }

    /// The quality that is used, 1 to 100; `None` where the encoding is lossless.
    pub fn quality(self) -> Option<u8> {
        self.quality
    }

    /// 0 to 9.
    pub fn effort(self) -> u8 {
        self.effort
    }

    /// Whether the output has all of these properties.
    pub fn has(self, traits: Traits) -> bool {
        self.format.has(traits)
    }

    /// What pixels may be: a lossy encoding has no more than 8 bits a channel.
    #[cfg(feature = "photo")]
    pub(crate) fn pixels(self) -> Traits {
        match self.quality {
            None => self.format.traits,
            Some(_) => self.format.traits.without(Traits::DEEP),
        }
    }

    /// The least build that has this encoding.
    pub fn build(self) -> Build {
        let transcodes = self.quality.is_none() && self.has(Traits::TRANSCODE);
        let is_slowest = self.effort == HIGHEST_EFFORT && self.has(Traits::ZOPFLI);
        if transcodes || is_slowest { Build::Full } else { self.format.build }
    }

    /// The same type, encoded lossily at a quality; unchanged where it has no lossy encoding.
    #[must_use]
    pub fn at_quality(self, quality: u8) -> Self {
        match self.has(Traits::QUALITY) {
            true => Self { quality: Some(quality), ..self },
            false => self,
        }
    }

    /// The same type and effort, without loss.
    #[must_use]
    pub fn without_loss(self) -> Self {
        Self { quality: None, ..self }
    }
}
