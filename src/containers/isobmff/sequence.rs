//! What the sequence header of an AV1 stream says about the picture (AV1 specification, 5.5).

use filepress_av1::Info;

use crate::containers::isobmff::CodePoints;

/// The sample format of the coded picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coding {
    /// Bits per channel: 8, 10 or 12.
    pub(crate) depth: u8,
    /// Whether there is only luma.
    pub(crate) gray: bool,
    /// Whether chroma has half the width.
    pub(crate) half_width: bool,
    /// Whether chroma has half the height.
    pub(crate) half_height: bool,
}

/// The sequence header, as far as it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) coding: Coding,
    pub(crate) colors: CodePoints,
    /// The largest width and height of a frame.
    pub(crate) size: (u32, u32),
}

impl Sequence {
    /// The first sequence header among the OBUs. `None` if there is none, or if it is truncated.
    pub(crate) fn find(units: &[u8]) -> Option<Self> {
        let info = Info::read(units).ok()?;
        let color = &info.color;
        Some(Self {
            coding: Coding::of(color),
            colors: CodePoints {
                primaries: color.color_primaries.into(),
                transfer: color.transfer_characteristics.into(),
                matrix: color.matrix_coefficients.into(),
                full_range: color.full_range,
            },
            size: (info.max_width, info.max_height),
        })
    }
}

impl Coding {
    pub(crate) fn of(color: &filepress_av1::ColorConfig) -> Self {
        Self {
            depth: color.bit_depth,
            gray: color.monochrome,
            half_width: color.subsampling_x,
            half_height: color.subsampling_y,
        }
    }
}
