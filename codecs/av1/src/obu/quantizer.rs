//! Quantizer parameters, and how they change within the frame (AV1 specification, sections 5.9.12, 5.9.17 and 5.9.18).

use super::bit_reader::BitReader;
use super::color::ColorConfig;
use crate::error::Error;

/// The quantizer parameters of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuantizerParams {
    pub(crate) base_q_idx: u8,
    /// What is added to the index for DC, by plane.
    pub(crate) delta_dc: [i32; 3],
    /// What is added to the index for AC, by plane.
    pub(crate) delta_ac: [i32; 3],
    /// qm_y, qm_u, qm_v. None without quantizer matrices.
    pub(crate) matrix_level: Option<[u8; 3]>,
    /// delta_q_res, if blocks change the quantizer index.
    pub(crate) delta_q_res: Option<u8>,
    /// How blocks change the loop filter level, if they do.
    pub(crate) delta_lf: Option<DeltaLf>,
}

/// How blocks change the loop filter level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeltaLf {
    /// delta_lf_res.
    pub(crate) res: u8,
    /// delta_lf_multi: each plane and direction has its own.
    pub(crate) multi: bool,
}

impl QuantizerParams {
    /// quantization_params( ).
    pub(super) fn read(reader: &mut BitReader<'_>, color: &ColorConfig) -> Result<Self, Error> {
        let base_q_idx = reader.byte(8)?;
        let y_dc = delta(reader)?;
        let (mut u, mut v) = ((0, 0), (0, 0));
        if !color.monochrome {
            let differ = color.separate_uv_delta_q && reader.flag()?;
            u = (delta(reader)?, delta(reader)?);
            v = if differ { (delta(reader)?, delta(reader)?) } else { u };
        }
        let mut matrix_level = None;
        if reader.flag()? {
            let (qm_y, qm_u) = (reader.byte(4)?, reader.byte(4)?);
            let qm_v = if color.separate_uv_delta_q { reader.byte(4)? } else { qm_u };
            matrix_level = Some([qm_y, qm_u, qm_v]);
        }
        Ok(Self {
            base_q_idx,
            delta_dc: [y_dc, u.0, v.0],
            delta_ac: [0, u.1, v.1],
            matrix_level,
            delta_q_res: None,
            delta_lf: None,
        })
    }

    /// delta_q_params( ) and delta_lf_params( ).
    pub(super) fn read_deltas(
        &mut self,
        reader: &mut BitReader<'_>,
        allow_intrabc: bool,
    ) -> Result<(), Error> {
        if self.base_q_idx > 0 && reader.flag()? {
            self.delta_q_res = Some(reader.byte(2)?);
            if !allow_intrabc && reader.flag()? {
                self.delta_lf = Some(DeltaLf { res: reader.byte(2)?, multi: reader.flag()? });
            }
        }
        Ok(())
    }

    /// Whether nothing is added to the index of any coefficient.
    pub(crate) fn has_no_deltas(&self) -> bool {
        self.delta_dc == [0; 3] && self.delta_ac == [0; 3]
    }
}

fn delta(reader: &mut BitReader<'_>) -> Result<i32, Error> {
    if reader.flag()? { reader.signed(7) } else { Ok(0) }
}
