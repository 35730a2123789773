//! The source pixels of one macroblock in the orders that mode decision works in.

use crate::distortion::texture;
use crate::lanes::{Blocks, Lanes};
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
        let luma: [Blocks; 2] = std::array::from_fn(|half| {
            std::array::from_fn(|i| Lanes::from_fn(|lane| i16::from(subblocks[8 * half + lane][i])))
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
}
