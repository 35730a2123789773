//! The state of a tile that decoder and encoder share: what is reconstructed, and what the contexts of syntax elements follow from.

use super::bounds::{MAX_SIDE4, TileBounds};
use super::decoded_flags::DecodedFlags;
use super::neighbors::Edge;
use crate::block_size::BlockSize;
use crate::error::Error;
use crate::frame::FrameState;
use crate::obu::{FrameHeader, SequenceHeader};
use crate::predict::{CflLuma, IntraPredictor};
use crate::transform::{InverseTransform, TxSize, TxType};
use crate::try_vec::filled;

/// The most samples along a side of a palette.
pub(crate) const MAX_PALETTE_SIDE: usize = 64;
/// Room for the levels of 32×32 coefficients, and for the context beyond their right and bottom edge.
const LEVELS: usize = 37 * 37;

/// Buffers that all tiles of a frame use in turn.
pub(crate) struct Workspace {
    pub(crate) above: Edge,
    pub(crate) left: Edge,
    pub(crate) predictor: IntraPredictor,
    pub(crate) cfl: CflLuma,
    pub(crate) transform: InverseTransform,
    /// Dequantized coefficients; zeros between transforms.
    pub(crate) coefficients: Vec<i32>,
    /// Magnitudes of coefficients up to 15, with a margin of zeros.
    pub(crate) levels: Vec<u8>,
    /// The palette indices of luma and of chroma, in rows of [`MAX_PALETTE_SIDE`].
    pub(crate) color_maps: [Vec<u8>; 2],
    /// The luma transform types of a block copy, in rows of [`MAX_SIDE4`].
    pub(crate) tx_types: Vec<TxType>,
    /// The luma transform sizes of a block copy, in rows of [`MAX_SIDE4`].
    pub(crate) tx_sizes: Vec<TxSize>,
}

impl Workspace {
    pub(crate) fn new(frame: &FrameState, has_palettes: bool) -> Result<Self, Error> {
        let map = || filled(0, MAX_PALETTE_SIDE * MAX_PALETTE_SIDE);
        Ok(Self {
            above: Edge::new(frame.mi_cols, has_palettes)?,
            left: Edge::new(frame.mi_rows, has_palettes)?,
            predictor: IntraPredictor::new(),
            cfl: CflLuma::new(),
            transform: InverseTransform::new(),
            coefficients: filled(0, 1024)?,
            levels: filled(0, LEVELS)?,
            color_maps: [map()?, map()?],
            tx_types: filled(TxType::DctDct, MAX_SIDE4 * MAX_SIDE4)?,
            tx_sizes: filled(TxSize::Tx4x4, MAX_SIDE4 * MAX_SIDE4)?,
        })
    }
}

/// A tile in the frame.
pub(crate) struct TileState<'a> {
    pub(crate) sequence: &'a SequenceHeader,
    pub(crate) header: &'a FrameHeader,
    pub(crate) frame: &'a mut FrameState,
    pub(crate) work: &'a mut Workspace,
    pub(crate) bounds: TileBounds,
    pub(crate) decoded: DecodedFlags,
    /// CurrentQIndex.
    pub(crate) q_index: u8,
    /// DeltaLF.
    pub(crate) delta_lf: [i32; 4],
    /// MaxLumaW and MaxLumaH: where the luma of the block that is predicted ends.
    pub(crate) luma_end: (usize, usize),
}

impl<'a> TileState<'a> {
    pub(crate) fn new(
        sequence: &'a SequenceHeader,
        header: &'a FrameHeader,
        frame: &'a mut FrameState,
        work: &'a mut Workspace,
        bounds: TileBounds,
    ) -> Self {
        work.above.clear();
        Self {
            sequence,
            header,
            frame,
            work,
            bounds,
            decoded: DecodedFlags::default(),
            q_index: header.quantizer.base_q_idx,
            delta_lf: [0; 4],
            luma_end: (0, 0),
        }
    }

    /// The corners of the superblocks, by rows.
    pub(crate) fn superblocks(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (bounds, size) = (self.bounds, self.superblock());
        let columns = move || (bounds.col_start..bounds.col_end).step_by(size.width4());
        let rows = (bounds.row_start..bounds.row_end).step_by(size.height4());
        rows.flat_map(move |row| columns().map(move |col| (row, col)))
    }

    /// Begins a superblock.
    pub(crate) fn start_superblock(&mut self, (row, col): (usize, usize)) {
        if col == self.bounds.col_start {
            self.work.left.clear();
        }
        let size = self.superblock();
        self.decoded.clear(&self.sequence.color, &self.bounds, (row, col), size);
    }

    pub(crate) fn superblock(&self) -> BlockSize {
        if self.sequence.superblocks_of_128 { BlockSize::B128x128 } else { BlockSize::B64x64 }
    }

    /// The shifts from luma to a plane.
    pub(crate) fn subsampling(&self, plane: usize) -> (u8, u8) {
        self.sequence.color.subsampling(plane)
    }
}
