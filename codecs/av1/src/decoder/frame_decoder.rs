//! One frame: its tiles, then the filters over all of it (AV1 specification, sections 5.11.1 and 7.4).

use super::memory;
use crate::plane::Plane;
use std::rc::Rc;

use crate::error::Error;
use crate::frame::FrameState;
use crate::limits::Limits;
use crate::obu::{FrameHeader, SequenceHeader, TileGroup};
use crate::picture::Picture;
use crate::postfilter::{self, Cdef, Deblock, FrameShape, PostFilters, Restoration};
use crate::tile::{TileBounds, TileDecoder, Workspace};

/// Decodes the tile groups of a frame.
pub(super) struct FrameDecoder {
    sequence: Rc<SequenceHeader>,
    header: Rc<FrameHeader>,
    state: FrameState,
    workspace: Workspace,
    /// The number of the tile that comes next.
    next_tile: usize,
}

impl FrameDecoder {
    /// `held`: the bytes of other frames, which count for the limit of memory.
    ///
    /// # Errors
    /// [`Error::Limit`] and [`Error::OutOfMemory`].
    pub(super) fn new(
        sequence: Rc<SequenceHeader>,
        header: Rc<FrameHeader>,
        limits: &Limits,
        held: u64,
    ) -> Result<Self, Error> {
        limits.check_pixels(header.size.upscaled_width, header.size.height)?;
        limits.check_memory(memory::estimate(&sequence, &header).saturating_add(held))?;
        let state = FrameState::new(&sequence, &header)?;
        let workspace = Workspace::new(&state, header.allow_screen_content_tools)?;
        Ok(Self { sequence, header, state, workspace, next_tile: 0 })
    }

    /// Decodes a tile group. Returns whether the frame has all its tiles.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub(super) fn decode(&mut self, group: &TileGroup<'_>) -> Result<bool, Error> {
        if group.first != self.next_tile {
            return Err(Error::Corrupt("the tiles of a frame are not in order"));
        }
        let tiles = &self.header.tiles;
        for data in &group.tiles {
            let (row, col) = (self.next_tile / tiles.cols(), self.next_tile % tiles.cols());
            let bounds = TileBounds {
                row_start: tiles.row_starts[row],
                row_end: tiles.row_starts[row + 1],
                col_start: tiles.col_starts[col],
                col_end: tiles.col_starts[col + 1],
            };
            let (sequence, header) = (&*self.sequence, &*self.header);
            let (state, workspace) = (&mut self.state, &mut self.workspace);
            TileDecoder::new(sequence, header, state, workspace, (bounds, data)).decode()?;
            self.next_tile += 1;
        }
        Ok(self.next_tile == tiles.count())
    }

    /// Filters the frame.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(super) fn finish(self) -> Result<Picture, Error> {
        let Self { sequence, header, mut state, .. } = self;
        let mut planes = std::mem::take(&mut state.planes);
        postfilter::apply(&mut planes, &post_filters(&sequence, &header, &state))?;
        // A picture may be encoded again: what blocks left beyond the edges is not a part of it.
        planes.iter_mut().for_each(Plane::extend_edges);
        Ok(Picture::new(planes, sequence.color))
    }
}

/// The filters of a frame whose tiles are done.
pub(crate) fn post_filters<'a>(
    sequence: &SequenceHeader,
    header: &FrameHeader,
    state: &'a FrameState,
) -> PostFilters<'a> {
    let (ss_x, ss_y) = sequence.color.subsampling(1);
    let shape = FrameShape {
        width: header.size.upscaled_width,
        coded_width: header.size.width,
        height: header.size.height,
        mi_cols: state.mi_cols,
        mi_rows: state.mi_rows,
        ss_x,
        ss_y,
        bit_depth: sequence.color.bit_depth,
    };
    let level = header.loop_filter.level;
    let deblock = state.deblock.as_ref().map(|map| Deblock {
        tx: [&map.tx_sizes[0], &map.tx_sizes[1]],
        levels: &map.levels,
        sharpness: header.loop_filter.sharpness,
        planes: [true, level[2] != 0, level[3] != 0],
    });
    let cdef = header.cdef.as_ref().zip(state.cdef.as_ref()).map(|(params, map)| Cdef {
        damping: params.damping,
        y: params.y,
        uv: params.uv,
        index: &map.index,
        active: &map.active,
    });
    let restoration = std::array::from_fn(|plane| {
        let map = state.restoration[plane].as_ref()?;
        Some(Restoration { unit_size: map.unit_size, units: &map.units })
    });
    PostFilters { shape, deblock, cdef, restoration }
}
