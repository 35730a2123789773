//! The trees that code intra prediction modes (RFC 6386, sections 8.1 and 11.2 to 11.4).
//!
//! A mode is a path from the root: bools, each with the probability of its node. The writer codes the path and the mode
//! decision counts its cost. Nothing is written here.

use crate::predict::intra4::{
    B_DC_PRED, B_HD_PRED, B_HE_PRED, B_HU_PRED, B_LD_PRED, B_RD_PRED, B_TM_PRED, B_VE_PRED, B_VL_PRED,
    B_VR_PRED,
};
use crate::predict::{DC_PRED, TM_PRED, V_PRED};
use crate::tables::mode_probs::{KF_BMODE_PROBS, KF_UV_MODE_PROBS, KF_YMODE_PROBS};

/// The longest paths, those of `B_HD_PRED` and `B_HU_PRED`, have 7 bools.
const MAX_PATH: usize = 7;

/// The bools of a mode, each with the probability that it is 0.
#[derive(Clone, Copy)]
pub(crate) struct ModePath {
    bools: [(bool, u8); MAX_PATH],
    len: usize,
}

impl ModePath {
    fn new(bools: &[(bool, u8)]) -> Self {
        let mut path = Self { bools: [(false, 0); MAX_PATH], len: bools.len() };
        path.bools[..bools.len()].copy_from_slice(bools);
        path
    }

    pub(crate) fn as_slice(&self) -> &[(bool, u8)] {
        &self.bools[..self.len]
    }
}

/// `B_PRED`: each luma subblock has a mode of its own.
pub(crate) fn b_pred_path() -> ModePath {
    ModePath::new(&[(false, KF_YMODE_PROBS[0])])
}

/// An intra16 luma mode, including the bool that tells it from `B_PRED`.
pub(crate) fn intra16_path(mode: usize) -> ModePath {
    const P: [u8; 4] = KF_YMODE_PROBS;
    ModePath::new(match mode {
        DC_PRED => &[(true, P[0]), (false, P[1]), (false, P[2])],
        TM_PRED => &[(true, P[0]), (true, P[1]), (true, P[3])],
        V_PRED => &[(true, P[0]), (false, P[1]), (true, P[2])],
        // H_PRED
        _ => &[(true, P[0]), (true, P[1]), (false, P[3])],
    })
}

/// A chroma mode.
pub(crate) fn uv_path(mode: usize) -> ModePath {
    const P: [u8; 3] = KF_UV_MODE_PROBS;
    ModePath::new(match mode {
        DC_PRED => &[(false, P[0])],
        TM_PRED => &[(true, P[0]), (true, P[1]), (true, P[2])],
        V_PRED => &[(true, P[0]), (false, P[1])],
        // H_PRED
        _ => &[(true, P[0]), (true, P[1]), (false, P[2])],
    })
}

/// An intra4 mode. `top` and `left` are the modes of the subblocks above and on the left.
pub(crate) fn intra4_path(mode: usize, top: usize, left: usize) -> ModePath {
    // The nodes of the tree on the path, each with its bool.
    let nodes: &[(usize, bool)] = match mode {
        B_DC_PRED => &[(0, false)],
        B_TM_PRED => &[(0, true), (1, false)],
        B_VE_PRED => &[(0, true), (1, true), (2, false)],
        B_HE_PRED => &[(0, true), (1, true), (2, true), (3, false), (4, false)],
        B_LD_PRED => &[(0, true), (1, true), (2, true), (3, true), (6, false)],
        B_RD_PRED => &[(0, true), (1, true), (2, true), (3, false), (4, true), (5, false)],
        B_VR_PRED => &[(0, true), (1, true), (2, true), (3, false), (4, true), (5, true)],
        B_VL_PRED => &[(0, true), (1, true), (2, true), (3, true), (6, true), (7, false)],
        B_HD_PRED => &[(0, true), (1, true), (2, true), (3, true), (6, true), (7, true), (8, false)],
        _ => {
            debug_assert_eq!(mode, B_HU_PRED);
            &[(0, true), (1, true), (2, true), (3, true), (6, true), (7, true), (8, true)]
        }
    };
    let probs = &KF_BMODE_PROBS[top][left];
    let mut path = ModePath { bools: [(false, 0); MAX_PATH], len: nodes.len() };
    for (bool, &(node, bit)) in path.bools.iter_mut().zip(nodes) {
        *bool = (bit, probs[node]);
    }
    path
}
