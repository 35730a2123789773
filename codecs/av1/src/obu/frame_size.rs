//! The size of a frame (AV1 specification, sections 5.9.5 to 5.9.9).

use super::bit_reader::BitReader;
use super::sequence::SequenceHeader;
use crate::error::Error;

/// The numerator of the ratio of upscaling.
const SUPERRES_NUM: u32 = 8;

/// The size of a frame, coded and upscaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameSize {
    /// UpscaledWidth: the columns of the picture.
    pub(crate) upscaled_width: usize,
    /// FrameWidth: the columns that are coded.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// SuperresDenom; 8 without superres.
    pub(crate) superres_denom: usize,
}

impl FrameSize {
    pub(super) fn read(
        reader: &mut BitReader<'_>,
        sequence: &SequenceHeader,
        overrides: bool,
    ) -> Result<Self, Error> {
        let (upscaled_width, height) = match overrides {
            true => (reader.bits(sequence.size_bits.0)? + 1, reader.bits(sequence.size_bits.1)? + 1),
            false => sequence.max_size,
        };
        if upscaled_width > sequence.max_size.0 || height > sequence.max_size.1 {
            return Err(Error::Corrupt("a frame is larger than its sequence"));
        }
        let mut denominator = SUPERRES_NUM;
        if sequence.enable_superres && reader.flag()? {
            denominator = reader.bits(3)? + 9;
        }
        // Annex A wants at least 16 columns; libaom and dav1d take 16 where the ratio gives fewer.
        let width = (upscaled_width * SUPERRES_NUM + denominator / 2) / denominator;
        let width = width.max(upscaled_width.min(16));
        // render_size( ), a hint.
        if reader.flag()? {
            reader.bits(32)?;
        }
        Ok(Self {
            upscaled_width: upscaled_width as usize,
            width: width as usize,
            height: height as usize,
            superres_denom: denominator as usize,
        })
    }

    /// Whether the picture has more columns than are coded. A ratio that changes nothing counts as none, as in libaom.
    pub(crate) fn uses_superres(&self) -> bool {
        self.width != self.upscaled_width
    }

    /// MiCols: columns of 4×4 blocks, an even number.
    pub(crate) fn mi_cols(&self) -> usize {
        2 * self.width.div_ceil(8)
    }

    /// MiRows: rows of 4×4 blocks, an even number.
    pub(crate) fn mi_rows(&self) -> usize {
        2 * self.height.div_ceil(8)
    }
}
