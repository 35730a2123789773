//! The state of a tile, and the walk over its superblocks (AV1 specification, section 5.11.2).

use super::bounds::{MAX_SIDE4, TileBounds};
use super::decoded_flags::DecodedFlags;
use super::neighbors::Edge;
use super::restoration_references::RestorationReferences;
use crate::block_size::BlockSize;
use crate::entropy::{CdfContext, SymbolDecoder};
use crate::error::Error;
use crate::frame::FrameState;
use crate::obu::{FrameHeader, SequenceHeader};
use crate::predict::{CflLuma, IntraPredictor};
use crate::transform::{InverseTransform, TxSize, TxType};
use crate::try_vec::filled;

/// The most samples along a side of a palette.
pub(super) const MAX_PALETTE_SIDE: usize = 64;
/// Room for the levels of 32×32 coefficients, and for the context beyond their right and bottom edge.
const LEVELS: usize = 37 * 37;

/// Buffers that all tiles of a frame use in turn.
pub(crate) struct Workspace {
    pub(super) above: Edge,
    pub(super) left: Edge,
    pub(super) predictor: IntraPredictor,
    pub(super) cfl: CflLuma,
    pub(super) transform: InverseTransform,
    /// Dequantized coefficients; zeros between transforms.
    pub(super) coefficients: Vec<i32>,
    /// Magnitudes of coefficients up to 15, with a margin of zeros.
    pub(super) levels: Vec<u8>,
    /// The palette indices of luma and of chroma, in rows of [`MAX_PALETTE_SIDE`].
    pub(super) color_maps: [Vec<u8>; 2],
    /// The luma transform types of a block copy, in rows of [`MAX_SIDE4`].
    pub(super) tx_types: Vec<TxType>,
    /// The luma transform sizes of a block copy, in rows of [`MAX_SIDE4`].
    pub(super) tx_sizes: Vec<TxSize>,
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

/// Decodes one tile into the frame.
pub(crate) struct TileDecoder<'a> {
    pub(super) sequence: &'a SequenceHeader,
    pub(super) header: &'a FrameHeader,
    pub(super) frame: &'a mut FrameState,
    pub(super) work: &'a mut Workspace,
    pub(super) bounds: TileBounds,
    pub(super) symbols: SymbolDecoder<'a>,
    pub(super) cdf: Box<CdfContext>,
    pub(super) decoded: DecodedFlags,
    /// CurrentQIndex.
    pub(super) q_index: u8,
    /// DeltaLF.
    pub(super) delta_lf: [i32; 4],
    /// ReadDeltas: whether the next block tells changes of the quantizer and the loop filter.
    pub(super) reads_deltas: bool,
    pub(super) references: RestorationReferences,
    /// MaxLumaW and MaxLumaH: where the luma of the block that is predicted ends.
    pub(super) luma_end: (usize, usize),
}

impl<'a> TileDecoder<'a> {
    pub(crate) fn new(
        sequence: &'a SequenceHeader,
        header: &'a FrameHeader,
        frame: &'a mut FrameState,
        work: &'a mut Workspace,
        (bounds, data): (TileBounds, &'a [u8]),
    ) -> Self {
        Self {
            sequence,
            header,
            frame,
            work,
            bounds,
            symbols: SymbolDecoder::new(data, !header.disable_cdf_update),
            cdf: Box::new(CdfContext::new(header.quantizer.base_q_idx)),
            decoded: DecodedFlags::default(),
            q_index: header.quantizer.base_q_idx,
            delta_lf: [0; 4],
            reads_deltas: false,
            references: RestorationReferences::default(),
            luma_end: (0, 0),
        }
    }

    /// Decodes all superblocks.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for blocks that cannot be.
    pub(crate) fn decode(&mut self) -> Result<(), Error> {
        let size = self.superblock();
        self.work.above.clear();
        for row in (self.bounds.row_start..self.bounds.row_end).step_by(size.height4()) {
            self.work.left.clear();
            for col in (self.bounds.col_start..self.bounds.col_end).step_by(size.width4()) {
                self.reads_deltas = self.header.quantizer.delta_q_res.is_some();
                self.decoded.clear(&self.sequence.color, &self.bounds, (row, col), size);
                self.read_restoration_units(row, col, size)?;
                self.decode_partition(row, col, size)?;
            }
        }
        Ok(())
    }

    pub(super) fn superblock(&self) -> BlockSize {
        if self.sequence.superblocks_of_128 { BlockSize::B128x128 } else { BlockSize::B64x64 }
    }

    /// The shifts from luma to a plane.
    pub(super) fn subsampling(&self, plane: usize) -> (u8, u8) {
        self.sequence.color.subsampling(plane)
    }
}
