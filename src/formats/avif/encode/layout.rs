//! How the pixels of an AVIF are stored: color model, chroma subsampling and bit depth.

use filepress_av1::ColorConfig;

use crate::formats::Encoding;

/// Code points of ITU-T H.273: BT.709 primaries and the transfer function of sRGB.
const SRGB: (u8, u8) = (1, 13);
/// MatrixCoefficients: red, green and blue as they are.
const IDENTITY: u8 = 0;
/// MatrixCoefficients: YCbCr of BT.601, which readers without support for `colr` assume.
const BT601: u8 = 6;

/// How pixels are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// 10 bits of luma.
    Gray,
    /// 10 bits, with chroma of half the width and height.
    Ycbcr420,
    /// 10 bits.
    Ycbcr444,
    /// 8 bits of gray, as they are.
    LosslessGray,
    /// 8 bits of red, green and blue, as they are.
    LosslessRgb,
}

impl Layout {
    /// For an encoding. `is_drawing`: whether chroma has full resolution at any quality by default.
    pub(crate) fn of(has_color: bool, is_drawing: bool, encoding: Encoding) -> Self {
        let is_full = is_drawing && encoding.chroma().is_none() || encoding.has_full_chroma();
        match (has_color, encoding.quality()) {
            (false, Some(_)) => Self::Gray,
            (false, None) => Self::LosslessGray,
            (true, None) => Self::LosslessRgb,
            (true, Some(_)) if is_full => Self::Ycbcr444,
            (true, Some(_)) => Self::Ycbcr420,
        }
    }

    pub(crate) fn has_color(self) -> bool {
        !matches!(self, Self::Gray | Self::LosslessGray)
    }

    pub(crate) fn is_lossless(self) -> bool {
        matches!(self, Self::LosslessGray | Self::LosslessRgb)
    }

    /// The layout of alpha beside it.
    pub(crate) fn alpha(self) -> Self {
        if self.is_lossless() { Self::LosslessGray } else { Self::Gray }
    }

    pub(crate) fn config(self) -> ColorConfig {
        let depth = if self.is_lossless() { 8 } else { 10 };
        let subsampled = self == Self::Ycbcr420;
        let mut config = ColorConfig::new(depth, !self.has_color(), (subsampled, subsampled));
        (config.color_primaries, config.transfer_characteristics) = SRGB;
        config.matrix_coefficients = if self == Self::LosslessRgb { IDENTITY } else { BT601 };
        config
    }
}
