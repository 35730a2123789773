//! What a format can do, as constant data: the planner, the stages and JavaScript ask it, and none of them asks for a type.

use filepress_wire::MediaType;

use crate::formats::{Build, HeaderSize};

/// Properties of a format, one bit each. `pkg-template/lib/formats.js` names them for JavaScript by their bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits(pub(crate) u32);

impl Traits {
    /// None.
    pub const NONE: Self = Self(0);
    /// `quality` has a meaning: the format has a lossy encoding.
    pub const QUALITY: Self = Self(1);
    /// The quality can be found by a score: it says in small steps how much is lost.
    pub const AUTO: Self = Self(1 << 1);
    /// `lossless` decides between a lossless and a lossy encoding.
    pub const LOSSLESS: Self = Self(1 << 2);
    /// `effort` has a meaning.
    pub const EFFORT: Self = Self(1 << 3);
    /// More than one level of alpha is kept. (GIF keeps one bit, which its encoder makes of these pixels.)
    pub const ALPHA: Self = Self(1 << 4);
    /// Shades of gray are kept as such, so that a profile of gray can stay.
    pub const GRAY: Self = Self(1 << 5);
    /// The lossless encoding has 16 bits a channel.
    pub const DEEP: Self = Self(1 << 6);
    /// Pixels are linear light in floating point.
    pub const FLOAT: Self = Self(1 << 7);
    /// Animations are written.
    pub const ANIMATION: Self = Self(1 << 8);
    /// Documents of several pages are read and written.
    pub const PAGES: Self = Self(1 << 9);
    /// A drawing: it is only written from one of its own type.
    pub const VECTOR: Self = Self(1 << 10);
    /// An ICC profile is kept.
    pub const ICC: Self = Self(1 << 11);
    /// EXIF (author and copyright) and XMP are kept.
    pub const EXIF: Self = Self(1 << 12);
    /// The lossless encoding is the input's coefficients, coded again.
    pub const TRANSCODE: Self = Self(1 << 13);
    /// Effort 9 takes an encoder that only the build `full` has.
    pub const ZOPFLI: Self = Self(1 << 14);
    /// The lossy encoding is a palette.
    pub const PALETTE: Self = Self(1 << 15);
    /// A lower quality takes fewer bytes, in many steps.
    pub const STEPS: Self = Self(1 << 16);
    /// The build `photo` reads it.
    pub const PHOTO_INPUT: Self = Self(1 << 17);
    /// The build `photo` writes its lossy encoding.
    pub const PHOTO_OUTPUT: Self = Self(1 << 18);
    /// An input may be animated.
    pub const MOVES: Self = Self(1 << 19);
    /// IPTC fields are kept.
    pub const IPTC: Self = Self(1 << 20);
    /// Pictures can be decoded at a fraction of their size.
    pub const REDUCIBLE: Self = Self(1 << 21);

    /// Both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These but `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all of `other` are among these.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A type of image files that the engine in this package reads and writes.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The type.
    pub media: MediaType,
    /// The least build that can do all of it: [`Build::Photo`] has no type for itself.
    pub build: Build,
    /// What it can do.
    pub traits: Traits,
    /// The longest side that can be written, in pixels.
    pub max_side: u32,
    /// Bytes that the encoder keeps for each pixel beside the pixel itself, by quality (`None`: lossless); measured on noise, which
    /// takes most, and rounded up.
    pub(crate) encoder_bytes: fn(Option<u8>) -> u64,
    /// Reads the size of the picture from the first bytes of a file.
    pub(crate) size: fn(&[u8]) -> HeaderSize,
    /// The quality where none is asked for, 1 to 100; 0 where the format is lossless then, or always.
    pub default_quality: u8,
    /// The message for `lossless: true` where that is refused.
    pub lossless_refusal: &'static str,
}

impl Format {
    /// A format that is lossless and has no settings.
    pub(crate) const fn lossless(media: MediaType, build: Build, traits: Traits) -> Self {
        Self {
            media,
            build,
            traits,
            max_side: i32::MAX as u32,
            encoder_bytes: |_| 0,
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

/// There is one format of a type.
impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.media == other.media
    }
}

impl Eq for Format {}
