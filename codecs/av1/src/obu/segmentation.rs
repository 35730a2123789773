//! Segments: blocks that share parameters (AV1 specification, section 5.9.14).

use super::bit_reader::BitReader;
use crate::error::Error;

/// The features that intra frames use, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// SEG_LVL_ALT_Q.
    Quantizer = 0,
    /// SEG_LVL_SKIP.
    Skip = 6,
}

/// SEG_LVL_REF_FRAME: from this feature on, the segment is known before whether a block is skipped.
const FIRST_BEFORE_SKIP: usize = 5;
/// The bits, the largest value and the sign of the features.
const FEATURES: [(u32, i32, bool); 8] = [
    (8, 255, true),
    (6, 63, true),
    (6, 63, true),
    (6, 63, true),
    (6, 63, true),
    (3, 7, false),
    (0, 0, false),
    (0, 0, false),
];

/// The segmentation parameters of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Segmentation {
    pub(crate) enabled: bool,
    /// FeatureData of the features that are enabled.
    data: [[Option<i16>; 8]; 8],
    /// SegIdPreSkip.
    pub(crate) before_skip: bool,
    /// LastActiveSegId.
    pub(crate) last_active: u8,
}

impl Segmentation {
    /// As it is in frames without a primary reference frame.
    pub(super) fn read(reader: &mut BitReader<'_>) -> Result<Self, Error> {
        let mut segmentation = Self { enabled: reader.flag()?, ..Self::default() };
        if !segmentation.enabled {
            return Ok(segmentation);
        }
        for segment in 0..8 {
            for (feature, (bits, limit, is_signed)) in FEATURES.into_iter().enumerate() {
                if !reader.flag()? {
                    continue;
                }
                let value = match is_signed {
                    true => reader.signed(1 + bits)?.clamp(-limit, limit),
                    false => (reader.bits(bits)? as i32).min(limit),
                };
                segmentation.data[segment][feature] = Some(value as i16);
                segmentation.last_active = segment as u8;
                segmentation.before_skip |= feature >= FIRST_BEFORE_SKIP;
            }
        }
        Ok(segmentation)
    }

    /// The value of a feature, if it is active for a segment.
    pub(crate) fn feature(&self, segment: u8, feature: Feature) -> Option<i32> {
        self.data[usize::from(segment & 7)][feature as usize].map(i32::from)
    }

    /// The change of the loop filter level: 0 and 1 for the vertical and horizontal edges of luma, 2 and 3 for chroma.
    pub(crate) fn loop_filter(&self, segment: u8, direction: usize) -> Option<i32> {
        self.data[usize::from(segment & 7)][1 + direction].map(i32::from)
    }
}
