//! Prediction of intra frames (AV1 specification, section 7.11): intra prediction, chroma from luma, palettes and intra block copy.
//!
//! Everything writes into the plane that is being decoded, one block at a time.

mod cfl;
mod dc;
mod directional;
mod edges;
mod filter_intra;
mod intra_block_copy;
mod paeth;
mod palette;
mod smooth;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use cfl::{CflBlock, CflLuma};
pub(crate) use edges::edge_samples;
pub(crate) use intra_block_copy::{IntraBcBlock, predict_intrabc};
pub(crate) use palette::predict_palette;

use crate::coverage;
use crate::plane::Plane;
use edges::Edges;

/// The largest side of a transform block.
pub(crate) const MAX_SIDE: usize = 64;

/// How a block is predicted from its neighbors. The numbers are those of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum IntraMode {
    Dc,
    V,
    H,
    D45,
    D135,
    D113,
    D157,
    D203,
    D67,
    Smooth,
    SmoothV,
    SmoothH,
    Paeth,
}

impl IntraMode {
    /// All modes, by number.
    pub(crate) const ALL: [Self; 13] = [
        Self::Dc,
        Self::V,
        Self::H,
        Self::D45,
        Self::D135,
        Self::D113,
        Self::D157,
        Self::D203,
        Self::D67,
        Self::Smooth,
        Self::SmoothV,
        Self::SmoothH,
        Self::Paeth,
    ];

    /// The mode of a number, if it is one.
    pub(crate) fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }

    /// Whether the mode has an angle.
    pub(crate) fn is_directional(self) -> bool {
        (Self::V as u8..=Self::D67 as u8).contains(&(self as u8))
    }

    /// Whether it is one of the modes that smooth the edges of neighbors more.
    pub(crate) fn is_smooth(self) -> bool {
        matches!(self, Self::Smooth | Self::SmoothV | Self::SmoothH)
    }
}

/// How the edges of a directional block are filtered before use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeFilter {
    /// The sequence has no edge filter.
    Off,
    /// No neighbor has a smooth mode.
    Sharp,
    /// The block above or to the left has a smooth mode.
    Smooth,
}

/// A transform block to predict.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntraBlock {
    /// Column of the first sample.
    pub(crate) x: usize,
    /// Row of the first sample.
    pub(crate) y: usize,
    /// Base 2 logarithm of the width, 2 to 6.
    pub(crate) log2_w: u8,
    /// Base 2 logarithm of the height, 2 to 6.
    pub(crate) log2_h: u8,
    /// Decoded samples in the row above, from column `x` on (see `edge_samples`); 0 if there are none.
    pub(crate) above: usize,
    /// Decoded samples in the column to the left, from row `y` on; 0 if there are none.
    pub(crate) left: usize,
    /// The mode.
    pub(crate) mode: IntraMode,
    /// Steps of 3 degrees that a directional mode is turned by, -3 to 3.
    pub(crate) angle_delta: i8,
    /// The mode of recursive filtering, 0 to 4, which is used instead of `mode`.
    pub(crate) filter_intra: Option<u8>,
    /// Filtering of edges for directional modes.
    pub(crate) edge_filter: EdgeFilter,
    /// Bits of a sample: 8, 10 or 12.
    pub(crate) bit_depth: u8,
}

impl IntraBlock {
    fn width(&self) -> usize {
        1 << self.log2_w
    }

    fn height(&self) -> usize {
        1 << self.log2_h
    }
}

/// Intra prediction with the buffers that it works in.
#[derive(Debug)]
pub(crate) struct IntraPredictor {
    edges: Edges,
    /// A block by columns.
    columns: [u16; MAX_SIDE * MAX_SIDE],
}

impl IntraPredictor {
    /// Empty buffers.
    pub(crate) fn new() -> Self {
        Self { edges: Edges::new(), columns: [0; MAX_SIDE * MAX_SIDE] }
    }

    /// Predicts a block (section 7.11.2). The block must lie inside the padded plane.
    pub(crate) fn predict(&mut self, plane: &mut Plane, block: &IntraBlock) {
        let (w, h) = (block.width(), block.height());
        if let Some(mode) = block.filter_intra {
            coverage::count("filter_intra", usize::from(mode));
            self.edges.load(plane, block, w, h);
            return filter_intra::predict(plane, block, &self.edges, mode);
        }
        coverage::count("intra_mode", block.mode as usize);
        if block.mode.is_directional() {
            return directional::predict(plane, block, &mut self.edges, &mut self.columns);
        }
        self.edges.load(plane, block, w, h);
        match block.mode {
            IntraMode::Smooth => smooth::both(plane, block, &self.edges),
            IntraMode::SmoothV => smooth::vertical(plane, block, &self.edges),
            IntraMode::SmoothH => smooth::horizontal(plane, block, &self.edges),
            IntraMode::Paeth => paeth::predict(plane, block, &self.edges),
            _ => dc::predict(plane, block, &self.edges),
        }
    }
}
