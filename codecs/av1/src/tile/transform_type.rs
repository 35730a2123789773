//! The transform types of a block (AV1 specification, sections 5.11.40, 5.11.47 and 5.11.48).

use super::block::{Block, ChromaMode};
use super::bounds::MAX_SIDE4;
use super::tile_decoder::TileDecoder;
use super::tile_state::TileState;
use super::tx_sizes;
use crate::predict::IntraMode;
use crate::transform::{TxSize, TxType};

/// The transform types that a block may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TxSet {
    DctOnly,
    Intra1,
    Intra2,
    Inter1,
    Inter2,
    Inter3,
}

const INTRA_1: [TxType; 7] = [
    TxType::Idtx,
    TxType::DctDct,
    TxType::VDct,
    TxType::HDct,
    TxType::AdstAdst,
    TxType::AdstDct,
    TxType::DctAdst,
];
const INTRA_2: [TxType; 5] =
    [TxType::Idtx, TxType::DctDct, TxType::AdstAdst, TxType::AdstDct, TxType::DctAdst];
const INTER_1: [TxType; 16] = [
    TxType::Idtx,
    TxType::VDct,
    TxType::HDct,
    TxType::VAdst,
    TxType::HAdst,
    TxType::VFlipadst,
    TxType::HFlipadst,
    TxType::DctDct,
    TxType::AdstDct,
    TxType::DctAdst,
    TxType::FlipadstDct,
    TxType::DctFlipadst,
    TxType::AdstAdst,
    TxType::FlipadstFlipadst,
    TxType::AdstFlipadst,
    TxType::FlipadstAdst,
];
const INTER_2: [TxType; 12] = [
    TxType::Idtx,
    TxType::VDct,
    TxType::HDct,
    TxType::DctDct,
    TxType::AdstDct,
    TxType::DctAdst,
    TxType::FlipadstDct,
    TxType::DctFlipadst,
    TxType::AdstAdst,
    TxType::FlipadstFlipadst,
    TxType::AdstFlipadst,
    TxType::FlipadstAdst,
];
const INTER_3: [TxType; 2] = [TxType::Idtx, TxType::DctDct];

/// Mode_To_Txfm.
const OF_MODE: [TxType; 13] = [
    TxType::DctDct,
    TxType::AdstDct,
    TxType::DctAdst,
    TxType::DctDct,
    TxType::AdstAdst,
    TxType::AdstDct,
    TxType::DctAdst,
    TxType::DctAdst,
    TxType::AdstDct,
    TxType::AdstAdst,
    TxType::AdstDct,
    TxType::DctAdst,
    TxType::AdstAdst,
];
/// Filter_Intra_Mode_To_Intra_Dir.
const OF_FILTER: [IntraMode; 5] = [IntraMode::Dc, IntraMode::V, IntraMode::H, IntraMode::D157, IntraMode::Dc];

impl TxSet {
    /// get_tx_set.
    pub(crate) fn of(size: TxSize, is_inter: bool, reduced: bool) -> Self {
        let (shorter, longer) = (tx_sizes::shorter(size), tx_sizes::longer(size));
        match (longer, is_inter) {
            (4.., _) => Self::DctOnly,
            (_, true) if reduced || longer == 3 => Self::Inter3,
            (_, true) if shorter == 2 => Self::Inter2,
            (_, true) => Self::Inter1,
            (3, false) => Self::DctOnly,
            (_, false) if reduced || shorter == 2 => Self::Intra2,
            (_, false) => Self::Intra1,
        }
    }

    pub(crate) fn types(self) -> &'static [TxType] {
        match self {
            Self::DctOnly => &[TxType::DctDct],
            Self::Intra1 => &INTRA_1,
            Self::Intra2 => &INTRA_2,
            Self::Inter1 => &INTER_1,
            Self::Inter2 => &INTER_2,
            Self::Inter3 => &INTER_3,
        }
    }
}

/// The mode that the probabilities of a block's transform types depend on.
pub(crate) fn mode_of(block: &Block) -> usize {
    block.filter_intra.map_or(block.y_mode, |mode| OF_FILTER[usize::from(mode)]) as usize
}

/// The type that a luma transform most likely has: that of chroma with the same mode.
pub(crate) fn type_of_mode(block: &Block) -> TxType {
    OF_MODE[mode_of(block)]
}

impl TileDecoder<'_> {
    /// transform_type: that of a luma transform with coefficients.
    pub(super) fn read_transform_type(&mut self, block: &Block, size: TxSize) -> TxType {
        let set = TxSet::of(size, block.is_inter(), self.tile.header.reduced_tx_set);
        if self.tile.header.base_q_idx_of(block.segment_id) == 0 {
            return TxType::DctDct;
        }
        let square = tx_sizes::shorter(size);
        let mode = mode_of(block);
        let (symbols, cdf) = (&mut self.symbols, &mut self.cdf);
        let symbol = match set {
            TxSet::DctOnly => return TxType::DctDct,
            TxSet::Intra1 => symbols.symbol(&mut cdf.intra_tx_type_1[square][mode]),
            TxSet::Intra2 => symbols.symbol(&mut cdf.intra_tx_type_2[square][mode]),
            TxSet::Inter1 => symbols.symbol(&mut cdf.inter_tx_type_1[square]),
            TxSet::Inter2 => symbols.symbol(&mut cdf.inter_tx_type_2),
            TxSet::Inter3 => symbols.symbol(&mut cdf.inter_tx_type_3[square]),
        };
        set.types()[symbol]
    }
}

impl TileState<'_> {
    /// compute_tx_type for chroma, at a place in 4×4 blocks of the plane.
    pub(crate) fn chroma_transform_type(
        &self,
        block: &Block,
        size: TxSize,
        (row, col): (usize, usize),
    ) -> TxType {
        if block.lossless {
            return TxType::DctDct;
        }
        let tx_type = match block.uv_mode {
            _ if block.is_inter() => {
                let (ss_x, ss_y) = self.subsampling(1);
                let down = (row << ss_y).saturating_sub(block.row);
                let right = (col << ss_x).saturating_sub(block.col);
                self.work.tx_types[down * MAX_SIDE4 + right]
            }
            ChromaMode::Intra(mode) => OF_MODE[mode as usize],
            ChromaMode::FromLuma(_) => TxType::DctDct,
        };
        let set = TxSet::of(size, block.is_inter(), self.header.reduced_tx_set);
        if set.types().contains(&tx_type) { tx_type } else { TxType::DctDct }
    }

    /// Keeps the type of a luma transform of a copy for its chroma.
    pub(crate) fn record_transform_type(
        &mut self,
        block: &Block,
        size: TxSize,
        (row, col): (usize, usize),
        tx_type: TxType,
    ) {
        let (down, right) = (row - block.row, col - block.col);
        let lines = self.work.tx_types.chunks_exact_mut(MAX_SIDE4);
        for line in lines.skip(down).take(size.height() / 4) {
            line[right..right + size.width() / 4].fill(tx_type);
        }
    }
}
