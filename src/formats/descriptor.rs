//! The properties of a format as constant data. The planner, the pipeline and JavaScript use them instead of testing
//! for particular formats.

use filepress_wire::MediaType;

use crate::formats::{Build, HeaderSize};

/// Properties of a format, one bit each. `pkg-template/lib/formats.js` lists the bits for JavaScript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits(pub(crate) u32);

impl Traits {
    /// No properties.
    pub const NONE: Self = Self(0);
    /// It has a lossy encoding, which `quality` controls.
    pub const QUALITY: Self = Self(1);
    /// The quality can be found by a score, because it controls the loss in small steps.
    pub const AUTO: Self = Self(1 << 1);
    /// `lossless` selects a lossless encoding instead of a lossy one.
    pub const LOSSLESS: Self = Self(1 << 2);
    /// `effort` applies.
    pub const EFFORT: Self = Self(1 << 3);
    /// More than one level of alpha is kept. (GIF keeps one bit, which its encoder makes.)
    pub const ALPHA: Self = Self(1 << 4);
    /// Gray is stored as gray, so that a gray profile can be kept.
    pub const GRAY: Self = Self(1 << 5);
    /// The lossless encoding has 16 bits per channel.
    pub const DEEP: Self = Self(1 << 6);
    /// Pixels are linear light in floating point.
    pub const FLOAT: Self = Self(1 << 7);
    /// Animations are written.
    pub const ANIMATION: Self = Self(1 << 8);
    /// Documents with several pages are read and written.
    pub const PAGES: Self = Self(1 << 9);
    /// A vector format: it is only written from an input of the same format.
    pub const VECTOR: Self = Self(1 << 10);
    /// An ICC profile is kept.
    pub const ICC: Self = Self(1 << 11);
    /// EXIF (author and copyright) and XMP are kept.
    pub const EXIF: Self = Self(1 << 12);
    /// `lossless` keeps the coefficients of an input of the same format.
    pub const TRANSCODE: Self = Self(1 << 13);
    /// Code points of ITU-T H.273 are kept, PQ and HLG too.
    pub const CODE_POINTS: Self = Self(1 << 14);
    /// The lossy encoding uses a palette.
    pub const PALETTE: Self = Self(1 << 15);
    /// A lower quality makes smaller files, in many steps.
    pub const STEPS: Self = Self(1 << 16);
    /// The lossy encoding has chroma, whose resolution can be chosen.
    pub const CHROMA: Self = Self(1 << 24);
    /// The builds `photo`, `photo_avif` and `avif` read it.
    pub const PHOTO_INPUT: Self = Self(1 << 17);
    /// The build `avif` reads it.
    pub const AVIF_INPUT: Self = Self(1 << 25);
    /// The build `photo` writes its lossy encoding.
    pub const PHOTO_OUTPUT: Self = Self(1 << 18);
    /// The builds `photo_avif` and `avif` write it.
    pub const AVIF_OUTPUT: Self = Self(1 << 23);
    /// Inputs may be animated.
    pub const MOVES: Self = Self(1 << 19);
    /// IPTC is kept.
    pub const IPTC: Self = Self(1 << 20);
    /// Pictures can be decoded at a fraction of their size.
    pub const REDUCIBLE: Self = Self(1 << 21);
    /// The lossless encoding has 8 bits per channel.
    pub const EIGHT_BIT: Self = Self(1 << 22);

    /// The union.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The difference.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all properties of `other` are included.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A format that the engine of this package reads and writes.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The media type.
    pub media: MediaType,
    /// The smallest build with full support: [`Build::Core`] or [`Build::Full`].
    pub build: Build,
    /// Its properties.
    pub traits: Traits,
    /// The longest side of an output in pixels.
    pub max_side: u32,
    /// The bytes per pixel that the encoder needs beside the pixel itself, by quality (`None`: lossless). Measured on
    /// noise, which needs most, and rounded up.
    pub(crate) encoder_bytes: fn(Option<u8>) -> u64,
    /// The tables that an encoder needs beside that, by effort.
    pub(crate) encoder_tables: fn(u8) -> Tables,
    /// The bytes per pixel that a picture takes which becomes smaller while its rows are decoded. Default 4: it is decoded
    /// whole, or to planes of 16 bits.
    pub(crate) row_bytes: u8,
    /// Reads the size of the picture from the first bytes of a file.
    pub(crate) size: fn(&[u8]) -> HeaderSize,
    /// The default quality, 1 to 100. 0 if the default is lossless.
    pub default_quality: u8,
    /// The message for `lossless: true` if that is refused.
    pub lossless_refusal: &'static str,
}

impl Format {
    /// A lossless format without settings.
    pub(crate) const fn lossless(media: MediaType, build: Build, traits: Traits) -> Self {
        Self {
            media,
            build,
            traits,
            max_side: i32::MAX as u32,
            encoder_bytes: |_| 0,
            encoder_tables: |_| Tables::NONE,
            row_bytes: 4,
            size: |_| HeaderSize::default(),
            default_quality: 0,
            lossless_refusal: "",
        }
    }

    /// Whether the format has all of these properties.
    pub const fn has(&self, traits: Traits) -> bool {
        self.traits.has(traits)
    }
}

/// The tables of an encoder, which grow with the picture until they are full.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tables {
    /// The bytes of full ones.
    most: u64,
    /// The bytes for each pixel until then.
    per_pixel: u64,
}

impl Tables {
    const NONE: Self = Self { most: 0, per_pixel: 0 };

    /// Those of DEFLATE: matches, costs and tokens of a segment.
    pub(crate) const fn deflate(effort: u8) -> Self {
        match effort {
            9 => Self { most: 56 << 20, per_pixel: 224 },
            _ => Self { most: 12 << 20, per_pixel: 48 },
        }
    }

    /// The bytes for so many pixels.
    pub(crate) fn bytes(self, pixels: u64) -> u64 {
        self.most.min(pixels.saturating_mul(self.per_pixel))
    }
}

/// Each media type has one format.
impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.media == other.media
    }
}

impl Eq for Format {}
