//! Decoding of a tile: the walk over its superblocks (AV1 specification, section 5.11.2).

use super::bounds::TileBounds;
use super::restoration_references::RestorationReferences;
use super::tile_state::{TileState, Workspace};
use crate::entropy::{CdfContext, SymbolDecoder};
use crate::error::Error;
use crate::frame::FrameState;
use crate::obu::{FrameHeader, SequenceHeader};

/// Decodes one tile into the frame.
pub(crate) struct TileDecoder<'a> {
    pub(super) tile: TileState<'a>,
    pub(super) symbols: SymbolDecoder<'a>,
    pub(super) cdf: Box<CdfContext>,
    /// ReadDeltas: whether the next block tells changes of the quantizer and the loop filter.
    pub(super) reads_deltas: bool,
    pub(super) references: RestorationReferences,
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
            tile: TileState::new(sequence, header, frame, work, bounds),
            symbols: SymbolDecoder::new(data, !header.disable_cdf_update),
            cdf: Box::new(CdfContext::new(header.quantizer.base_q_idx)),
            reads_deltas: false,
            references: RestorationReferences::default(),
        }
    }

    /// Decodes all superblocks.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for blocks that cannot be.
    pub(crate) fn decode(&mut self) -> Result<(), Error> {
        let size = self.tile.superblock();
        for (row, col) in self.tile.superblocks() {
            self.reads_deltas = self.tile.header.quantizer.delta_q_res.is_some();
            self.tile.start_superblock((row, col));
            self.read_restoration_units(row, col, size)?;
            self.decode_partition(row, col, size)?;
        }
        Ok(())
    }
}
