//! Intra prediction (RFC 6386, section 12), exactly as every decoder computes it.
//!
//! `intra16` predicts a whole macroblock: 16 × 16 luma, and 8 × 8 chroma by the same modes. `intra4` predicts one 4 × 4 luma
//! subblock. Which mode to use is decided in `mode_decision`.

pub(crate) mod intra16;
pub(crate) mod intra4;

/// The modes of a whole macroblock. They are numbered like the intra4 modes that RFC 6386 puts in their place when a
/// neighbor has subblock modes (`B_DC_PRED`, `B_TM_PRED`, `B_VE_PRED`, `B_HE_PRED`): one number serves as both.
pub(crate) const DC_PRED: usize = 0;
pub(crate) const TM_PRED: usize = 1;
pub(crate) const V_PRED: usize = 2;
// `H_PRED`, 3, has no constant: each `match` has it as the remaining case.

/// How many modes a whole macroblock has.
pub(crate) const MODES: usize = 4;

/// The pixels above the top row and to the left of the first column of a picture (section 12.2).
pub(crate) const TOP_BORDER: u8 = 127;
pub(crate) const LEFT_BORDER: u8 = 129;
