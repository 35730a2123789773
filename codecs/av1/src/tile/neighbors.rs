//! What blocks above and to the left tell about the current one: the contexts of syntax elements.

use crate::block_size::BlockSize;
use crate::error::Error;
use crate::predict::IntraMode;
use crate::try_vec::filled;

/// What a block tells its neighbors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbor {
    pub(crate) y_mode: IntraMode,
    pub(crate) size: BlockSize,
    pub(crate) skip: bool,
    /// Whether the block is a copy (intra block copy).
    pub(crate) is_inter: bool,
    /// The number of colors in its palettes for luma and chroma.
    pub(crate) palette_sizes: [u8; 2],
}

/// The edge of what is decoded: one entry for each 4×4 block along it.
pub(crate) struct Edge {
    pub(crate) blocks: Vec<Neighbor>,
    /// UVModes, of the blocks that have chroma.
    pub(crate) uv_modes: Vec<IntraMode>,
    /// The extent of the transforms along the edge, in samples.
    pub(crate) tx_extent: Vec<u8>,
    /// For each plane, the level context in the lower six bits, and the category of the DC sign in the upper two.
    pub(crate) coefficients: [Vec<u8>; 3],
    /// The colors of the palettes of luma and U.
    pub(crate) palette_colors: [Vec<[u16; 8]>; 2],
}

impl Edge {
    pub(crate) fn new(length: usize, has_palettes: bool) -> Result<Self, Error> {
        let neighbor = Neighbor {
            y_mode: IntraMode::Dc,
            size: BlockSize::B4x4,
            skip: false,
            is_inter: false,
            palette_sizes: [0; 2],
        };
        let palettes = if has_palettes { length } else { 0 };
        Ok(Self {
            blocks: filled(neighbor, length)?,
            uv_modes: filled(IntraMode::Dc, length)?,
            tx_extent: filled(0, length)?,
            coefficients: [filled(0, length)?, filled(0, length)?, filled(0, length)?],
            palette_colors: [filled([0; 8], palettes)?, filled([0; 8], palettes)?],
        })
    }

    /// clear_above_context( ) and clear_left_context( ): what has meaning beyond the tile.
    pub(crate) fn clear(&mut self) {
        for plane in &mut self.coefficients {
            plane.fill(0);
        }
    }
}
