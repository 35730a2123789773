//! The source pixels of one macroblock in the orders that mode decision works in.

use crate::distortion::texture;
use crate::lanes::{Blocks, Lanes, arrays};
use crate::mb_context::ReconEdges;
use crate::mb_row::MbRow;

pub(crate) struct Macroblock {
    /// The upper and the lower eight luma subblocks, one lane each.
    pub(crate) luma: [Blocks; 2],
    /// The same subblock by subblock.
    pub(crate) subblocks: [[u8; 16]; 16],
    /// The texture of each luma subblock.
    pub(crate) textures: [i32; 16],
    /// Four subblocks of U, then four of V, one lane each.
    pub(crate) chroma: Blocks,
}

impl Macroblock {
    pub(crate) fn new(mb_row: &MbRow, mb_x: usize) -> Self {
        let mut subblocks = [[0; 16]; 16];
        for y in 0..16 {
            let row = &mb_row.y[y * mb_row.width + 16 * mb_x..][..16];
            for (x, pixels) in row.chunks_exact(4).enumerate() {
                subblocks[y / 4 * 4 + x][y % 4 * 4..][..4].copy_from_slice(pixels);
            }
        }
        let luma: [Blocks; 2] = [0, 8].map(|first: usize| {
            std::array::from_fn(|i| Lanes::from_fn(|lane| i16::from(subblocks[first + lane][i])))
        });
        let textures = [texture(&luma[0]), texture(&luma[1])];
        let uv_width = mb_row.width / 2;
        let chroma = std::array::from_fn(|i| {
            Lanes::from_fn(|lane| {
                let (x, y) = (4 * (lane % 2) + i % 4, 4 * (lane % 4 / 2) + i / 4);
                i16::from(mb_row.uv[lane / 4][y * uv_width + 8 * mb_x + x])
            })
        });
        let textures = std::array::from_fn(|index| textures[index / 8][index % 8]);
        Self { luma, subblocks, textures, chroma }
    }

    /// Whether all luma pixels are equal.
    pub(crate) fn is_flat(&self) -> bool {
        let pixels = self.subblocks.as_flattened();
        pixels.iter().all(|pixel| *pixel == pixels[0])
    }

    /// The edges of a lossless reconstruction.
    pub(crate) fn edges(&self) -> ReconEdges {
        let chroma = arrays(&self.chroma);
        ReconEdges {
            y_bottom: std::array::from_fn(|x| self.subblocks[12 + x / 4][12 + x % 4]),
            y_right: std::array::from_fn(|y| self.subblocks[4 * (y / 4) + 3][4 * (y % 4) + 3]),
            uv_bottom: [0, 4]
                .map(|plane: usize| std::array::from_fn(|x| chroma[12 + x % 4][plane + 2 + x / 4] as u8)),
            uv_right: [0, 4].map(|plane: usize| {
                std::array::from_fn(|y| chroma[4 * (y % 4) + 3][plane + 2 * (y / 4) + 1] as u8)
            }),
        }
    }
}
