//! The parameters of the filters after reconstruction (AV1 specification, sections 5.9.11, 5.9.19 and 5.9.20).

use super::bit_reader::BitReader;
use crate::error::Error;

/// The deblocking filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoopFilterParams {
    /// For vertical and horizontal edges of luma, for U and for V.
    pub(crate) level: [u8; 4],
    pub(crate) sharpness: u8,
    /// loop_filter_ref_deltas[ INTRA_FRAME ], if deltas are enabled.
    pub(crate) intra_delta: Option<i32>,
}

impl LoopFilterParams {
    pub(crate) const OFF: Self = Self { level: [0; 4], sharpness: 0, intra_delta: None };

    pub(super) fn read(reader: &mut BitReader<'_>, planes: usize) -> Result<Self, Error> {
        let mut level = [reader.byte(6)?, reader.byte(6)?, 0, 0];
        if planes > 1 && (level[0] != 0 || level[1] != 0) {
            (level[2], level[3]) = (reader.byte(6)?, reader.byte(6)?);
        }
        let sharpness = reader.byte(3)?;
        let mut intra_delta = None;
        if reader.flag()? {
            let mut delta = 1;
            if reader.flag()? {
                // Those of the eight reference frames and of the two groups of modes; intra blocks use the first.
                for at in 0..10 {
                    if reader.flag()? {
                        let value = reader.signed(7)?;
                        delta = if at == 0 { value } else { delta };
                    }
                }
            }
            intra_delta = Some(delta);
        }
        Ok(Self { level, sharpness, intra_delta })
    }
}

/// The constrained directional enhancement filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CdefParams {
    /// CdefDamping.
    pub(crate) damping: u8,
    /// cdef_bits.
    pub(crate) bits: u32,
    /// The primary and the secondary strength of luma.
    pub(crate) y: [[u8; 2]; 8],
    /// The primary and the secondary strength of chroma.
    pub(crate) uv: [[u8; 2]; 8],
}

impl CdefParams {
    pub(super) fn read(reader: &mut BitReader<'_>, planes: usize) -> Result<Self, Error> {
        let damping = reader.byte(2)? + 3;
        let bits = reader.bits(2)?;
        let (mut y, mut uv) = ([[0; 2]; 8], [[0; 2]; 8]);
        for at in 0..1 << bits {
            y[at] = strengths(reader)?;
            if planes > 1 {
                uv[at] = strengths(reader)?;
            }
        }
        Ok(Self { damping, bits, y, uv })
    }
}

fn strengths(reader: &mut BitReader<'_>) -> Result<[u8; 2], Error> {
    let primary = reader.byte(4)?;
    let secondary = reader.byte(2)?;
    Ok([primary, if secondary == 3 { 4 } else { secondary }])
}

/// FrameRestorationType, if it is not RESTORE_NONE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RestorationType {
    Wiener,
    SelfGuided,
    Switchable,
}

/// Loop restoration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RestorationParams {
    pub(crate) kind: [Option<RestorationType>; 3],
    /// LoopRestorationSize: the side of a unit, in samples of the plane.
    pub(crate) unit_size: [usize; 3],
}

impl RestorationParams {
    pub(crate) const OFF: Self = Self { kind: [None; 3], unit_size: [64; 3] };

    pub(super) fn read(
        reader: &mut BitReader<'_>,
        planes: usize,
        superblocks_of_128: bool,
        is_420: bool,
    ) -> Result<Self, Error> {
        let mut kind = [None; 3];
        for kind in &mut kind[..planes] {
            *kind = match reader.bits(2)? {
                0 => None,
                1 => Some(RestorationType::Switchable),
                2 => Some(RestorationType::Wiener),
                _ => Some(RestorationType::SelfGuided),
            };
        }
        if kind == [None; 3] {
            return Ok(Self::OFF);
        }
        let mut shift = reader.bits(1)?;
        if superblocks_of_128 {
            shift += 1;
        } else if shift == 1 {
            shift += reader.bits(1)?;
        }
        let luma = 64usize << shift;
        let has_chroma = kind[1].is_some() || kind[2].is_some();
        let chroma = luma >> if is_420 && has_chroma { reader.bits(1)? } else { 0 };
        Ok(Self { kind, unit_size: [luma, chroma, chroma] })
    }
}
