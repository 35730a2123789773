//! The options of a call as the caller wrote them: parsed and range-checked, without any decision.
//!
//! Unknown members are errors, so that a misspelled option is never ignored.

mod geometry;
#[cfg(feature = "core")]
mod overlay;
#[cfg(not(feature = "core"))]
#[path = "options/overlay/unread.rs"]
mod overlay;

use crate::error::Result;
use crate::limits::Limits;
use crate::value::{ObjectReader, OrAuto, Value};

pub use geometry::{Anchor, Crop, CropStrategy, Edit, Fit, Flip, Position, Resize};
pub use overlay::Overlay;

/// The largest width and height that `resize` accepts, in pixels: the limit of WebP, and of the service's API.
pub const MAX_SIDE: u32 = 16_383;

/// The largest integer that JavaScript represents exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// The options of one call. Every member is optional.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// The format of the output: a media type or a file extension. Default: the format of the input.
    pub to: Option<String>,
    /// 1 (smallest) to 100 (best), or the lowest quality that reaches [`Self::min_score`]. Default: 80 for JPEG and
    /// lossy WebP, 60 for AVIF, 100 for GIF; PNG, OpenEXR and DDS are lossless unless it is set. With
    /// [`Self::target_size`] it is the highest quality to try.
    pub quality: Option<OrAuto<u8>>,
    /// The lowest SSIMULACRA2 score that an automatic quality has to reach, 1 to 100. Default [`DEFAULT_MIN_SCORE`].
    pub min_score: Option<f64>,
    /// The most bytes that the output may have.
    pub target_size: Option<u64>,
    /// Keep every pixel unchanged. Default false; PNG without `quality` and formats without lossy encoding are lossless
    /// anyway.
    pub lossless: Option<bool>,
    /// 0 (fastest) to 9 (smallest). Default 4.
    pub effort: Option<u8>,
    /// The most colors of an output with a palette, 2 to 256. Default: as the quality allows.
    pub colors: Option<u16>,
    /// How strongly an output with a palette is dithered: 0 (not at all) to 1. Default 1.
    pub dither: Option<f64>,
    /// The resolution of chroma. Default: by the quality.
    pub chroma: Option<Chroma>,
    /// Which part of the input is shown, and how it is turned. Default: all of it, upright.
    pub edit: Edit,
    /// The size in pixels. Default: the size of the input.
    pub resize: Option<Resize>,
    /// What is laid over the output. Default: nothing.
    pub overlay: Option<Overlay>,
    /// The background of transparent pixels if the output has no alpha, and of padding. Default white; padding is transparent by
    /// default if the output has alpha.
    pub background: Option<Background>,
    /// The metadata to keep. Default [`MetadataPolicy::Safe`].
    pub metadata: Option<MetadataPolicy>,
    /// What happens to animations. Default [`AnimationPolicy::Keep`].
    pub animation: Option<AnimationPolicy>,
    /// What happens to the HDR gain map of a photo. Default: [`HdrPolicy::Keep`] for a lossless JPEG, else [`HdrPolicy::Drop`].
    pub hdr: Option<HdrPolicy>,
    /// Fonts for the text of an SVG, as TrueType or OpenType files; the built-in fonts cover missing characters.
    pub fonts: Option<Vec<Vec<u8>>>,
    /// The limits of the call.
    pub limits: Option<Limits>,
    /// `limits.maxInputBytes` if the caller set it. For a service it has no default.
    pub max_input_bytes: Option<u64>,
    /// Where the work is done. Default [`EnginePolicy::Auto`].
    pub engine: Option<EnginePolicy>,
}

/// Where the work is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EnginePolicy {
    /// Images locally, everything else by a service.
    #[default]
    Auto,
    /// Locally; an error if that is not possible.
    Local,
    /// By a service.
    Remote,
}

/// The default score of an automatic quality: between high quality, 70, and differences that are hard to see side by side, 90.
pub const DEFAULT_MIN_SCORE: f64 = 80.0;

/// The resolution of chroma in a lossy encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chroma {
    /// 4:4:4: that of luma.
    Full,
    /// 4:2:0: half of luma's across and down.
    Half,
}

impl Chroma {
    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Full => "444",
            Self::Half => "420",
        }
    }
}

/// What happens to an animation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnimationPolicy {
    /// It stays animated if the output format can be; otherwise its first frame is used, with a warning.
    #[default]
    Keep,
    /// Its first frame is used.
    First,
}

/// What happens to an HDR gain map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HdrPolicy {
    /// A JPEG that becomes a JPEG or an AVIF keeps it, in the output's geometry.
    Keep,
    /// The output is the standard image.
    Drop,
}

/// The metadata to keep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MetadataPolicy {
    /// The color profile, author and copyright; no location, no device, no thumbnail.
    #[default]
    Safe,
    /// Everything that the output can carry.
    Keep,
    /// The color profile alone, and only if it is not sRGB.
    Strip,
}

/// An opaque color in sRGB: `#rgb`, `#rrggbb`, `white` or `black`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Background(pub [u8; 3]);

impl Default for Background {
    fn default() -> Self {
        Self([255; 3])
    }
}

impl Options {
    /// Reads options from plain values.
    ///
    /// # Errors
    /// [`crate::ErrorCode::UnknownOption`] and [`crate::ErrorCode::InvalidOption`], both with the detail `option`: the
    /// path of the member, for example `resize.maxWidth`.
    pub fn parse(value: Value) -> Result<Self> {
        let mut reader = ObjectReader::new(value)?;
        let bounds = reader.object("limits")?.map(parse_limits).transpose()?;
        let options = Self {
            to: reader.string("to", "a media type or file extension", |text| Some(text.to_owned()))?,
            quality: reader.integer_or_auto("quality", 1..=100)?.map(|quality| match quality {
                OrAuto::Value(quality) => OrAuto::Value(quality as u8),
                OrAuto::Auto => OrAuto::Auto,
            }),
            min_score: reader.number("minScore", 1.0..=100.0)?,
            target_size: reader.integer("targetSize", 1..=MAX_SAFE_INTEGER)?,
            lossless: reader.bool("lossless")?,
            effort: reader.integer("effort", 0..=9)?.map(|effort| effort as u8),
            colors: reader.integer("colors", 2..=256)?.map(|colors| colors as u16),
            dither: reader.number("dither", 0.0..=1.0)?,
            chroma: reader
                .word("chroma", &["auto", "444", "420"], &[None, Some(Chroma::Full), Some(Chroma::Half)])?
                .flatten(),
            edit: Edit::parse(&mut reader)?,
            resize: reader.object("resize")?.map(Resize::parse).transpose()?,
            overlay: reader.object("overlay")?.map(Overlay::parse).transpose()?,
            background: reader.string(
                "background",
                "a color as \"#rgb\", \"#rrggbb\", \"white\" or \"black\"",
                Background::parse,
            )?,
            metadata: reader.word(
                "metadata",
                &["safe", "keep", "strip"],
                &[MetadataPolicy::Safe, MetadataPolicy::Keep, MetadataPolicy::Strip],
            )?,
            animation: reader.word(
                "animation",
                &["keep", "first"],
                &[AnimationPolicy::Keep, AnimationPolicy::First],
            )?,
            hdr: reader.word("hdr", &["keep", "drop"], &[HdrPolicy::Keep, HdrPolicy::Drop])?,
            fonts: reader.byte_arrays("fonts")?,
            limits: bounds.map(|(limits, _)| limits),
            max_input_bytes: bounds.and_then(|(_, bytes)| bytes),
            engine: reader.word(
                "engine",
                &["auto", "local", "remote"],
                &[EnginePolicy::Auto, EnginePolicy::Local, EnginePolicy::Remote],
            )?,
        };
        reader.finish()?;
        Ok(options)
    }
}

impl Background {
    /// As `#rrggbb`.
    pub(crate) fn to_hex(self) -> String {
        let mut hex = String::from("#");
        for channel in self.0 {
            for digit in [channel >> 4, channel & 15] {
                hex.extend(char::from_digit(u32::from(digit), 16));
            }
        }
        hex
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "white" => return Some(Self([255; 3])),
            "black" => return Some(Self([0; 3])),
            _ => {}
        }
        let digits = text.strip_prefix('#')?;
        let mut number = 0_u32;
        for digit in digits.chars() {
            number = number << 4 | digit.to_digit(16)?;
        }
        let [_, red, green, blue] = match digits.len() {
            6 => number.to_be_bytes(),
            3 => [8, 8, 4, 0].map(|shift| (number >> shift & 15) as u8 * 17),
            _ => return None,
        };
        Some(Self([red, green, blue]))
    }
}

/// Reads the limits, each from 1 up to the largest integer that JavaScript represents exactly. Also returns
/// `maxInputBytes` if it was set.
fn parse_limits(mut reader: ObjectReader) -> Result<(Limits, Option<u64>)> {
    let default = Limits::default();
    let mut bound = |name| reader.integer(name, 1..=MAX_SAFE_INTEGER);
    let bytes = bound("maxInputBytes")?;
    let limits = Limits {
        max_input_bytes: bytes.unwrap_or(default.max_input_bytes),
        max_pixels: bound("maxPixels")?.unwrap_or(default.max_pixels),
        max_memory_bytes: bound("maxMemoryBytes")?.unwrap_or(default.max_memory_bytes),
    };
    reader.finish()?;
    Ok((limits, bytes))
}
