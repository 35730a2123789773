//! A frame whose macroblocks are decided: what both partitions are written from.

use crate::coeffs::CoeffStore;
use crate::mb_info::MbInfo;
use crate::tables::CoeffProbs;

/// All that is written to the frame.
pub(crate) struct CodedFrame {
    pub(crate) mb_infos: Vec<MbInfo>,
    pub(crate) coeffs: CoeffStore,
    pub(crate) probs: CoeffProbs,
    /// The loop filter level of each segment.
    pub(crate) filter_levels: Vec<i32>,
    /// `prob_skip_false`; none if no macroblock is coded as skipped.
    pub(crate) skip_prob: Option<u8>,
}
