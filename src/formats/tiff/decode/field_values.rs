//! The values of the fields that describe samples: compression, predictor, color model, sample format, alpha (TIFF
//! 6.0).

use crate::error::Result;
use crate::formats::tiff::decode::unsupported;

/// How chunks are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Group4,
    Lzw,
    Jpeg,
    Deflate,
    PackBits,
}

impl Compression {
    pub(super) fn of(number: u64) -> Result<Self> {
        Err(unsupported(match number {
            1 => return Ok(Self::None),
            4 => return Ok(Self::Group4),
            5 => return Ok(Self::Lzw),
            7 => return Ok(Self::Jpeg),
            8 | 32_946 => return Ok(Self::Deflate),
            32_773 => return Ok(Self::PackBits),
            2 => "it is compressed by CCITT run lengths",
            3 => "it is compressed by CCITT Group 3",
            6 => "it is compressed by the old kind of JPEG",
            34_676 | 34_677 => "it is compressed by SGI Log",
            34_712 => "it is compressed by JPEG 2000",
            34_925 => "it is compressed by LZMA",
            50_000 => "it is compressed by Zstandard",
            50_001 => "it is compressed by WebP",
            50_002 => "it is compressed by JPEG XL",
            other => return Err(unsupported(format_args!("its compression has the unknown number {other}"))),
        }))
    }
}

/// The transformation of samples before compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Predictor {
    None,
    /// Differences from the left neighbor.
    Horizontal,
    /// Differences of bytes, with the bytes of one significance adjacent.
    FloatingPoint,
}

/// The meaning of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    Gray,
    /// Gray, 0 is white.
    InvertedGray,
    Rgb,
    Palette,
    Cmyk,
    Ycbcr,
    /// CIE L*a*b* with signed a* and b*.
    Lab,
    /// CIE L*a*b* with unsigned a* and b*.
    IccLab,
}

impl Model {
    pub(super) fn of(number: u64) -> Result<Self> {
        Err(unsupported(match number {
            0 => return Ok(Self::InvertedGray),
            1 => return Ok(Self::Gray),
            2 => return Ok(Self::Rgb),
            3 => return Ok(Self::Palette),
            5 => return Ok(Self::Cmyk),
            6 => return Ok(Self::Ycbcr),
            8 => return Ok(Self::Lab),
            9 => return Ok(Self::IccLab),
            4 => "it is a mask",
            10 => "its colors are ITU L*a*b*",
            32_803 | 34_892 => "it holds what a camera's sensor saw",
            32_844 | 32_845 => "its colors are LogLuv",
            other => return Err(unsupported(format_args!("its colors have the unknown number {other}"))),
        }))
    }

    /// The number of samples of a color.
    pub(crate) fn channels(self) -> usize {
        match self {
            Self::Gray | Self::InvertedGray | Self::Palette => 1,
            Self::Rgb | Self::Ycbcr | Self::Lab | Self::IccLab => 3,
            Self::Cmyk => 4,
        }
    }
}

/// The number format of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Unsigned,
    Signed,
    Float,
}

/// The meaning of the first sample after the color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alpha {
    None,
    /// Colors are premultiplied by it.
    Associated,
    Unassociated,
}
