//! One macroblock of the picture, in the orders that the search works in.

use crate::band::Band;
use crate::distortion::texture;
use crate::lanes::{Blocks, Lanes, arrays};
use crate::surroundings::Trace;

pub(crate) struct Macroblock {
    /// The upper and the lower eight blocks.
    pub(crate) luma: [Blocks; 2],
    /// The same block by block.
    pub(crate) pieces: [[u8; 16]; 16],
    /// Of each block of luma.
    pub(crate) textures: [i32; 16],
    /// Four blocks of each plane.
    pub(crate) chroma: Blocks,
}

impl Macroblock {
    pub(crate) fn new(band: &Band, column: usize) -> Self {
        let mut pieces = [[0; 16]; 16];
        for y in 0..16 {
            let row = &band.luma[y * band.width + 16 * column..][..16];
            for (x, pixels) in row.chunks_exact(4).enumerate() {
                pieces[y / 4 * 4 + x][y % 4 * 4..][..4].copy_from_slice(pixels);
            }
        }
        let luma: [Blocks; 2] = [0, 8].map(|first: usize| {
            std::array::from_fn(|place| Lanes::from_fn(|lane| i16::from(pieces[first + lane][place])))
        });
        let textures = [texture(&luma[0]), texture(&luma[1])];
        let half = band.width / 2;
        let chroma = std::array::from_fn(|place| {
            Lanes::from_fn(|lane| {
                let (x, y) = (4 * (lane % 2) + place % 4, 4 * (lane % 4 / 2) + place / 4);
                i16::from(band.chroma[lane / 4][y * half + 8 * column + x])
            })
        });
        let textures = std::array::from_fn(|index| textures[index / 8][index % 8]);
        Self { luma, pieces, textures, chroma }
    }

    /// Whether all luma is the same.
    pub(crate) fn is_flat(&self) -> bool {
        let pixels = self.pieces.as_flattened();
        pixels.iter().all(|pixel| *pixel == pixels[0])
    }

    /// What the macroblock would leave to others if it were coded without loss.
    pub(crate) fn trace(&self) -> Trace {
        let chroma = arrays(&self.chroma);
        Trace {
            luma_below: std::array::from_fn(|x| self.pieces[12 + x / 4][12 + x % 4]),
            luma_right: std::array::from_fn(|y| self.pieces[4 * (y / 4) + 3][4 * (y % 4) + 3]),
            chroma_below: [0, 4]
                .map(|plane: usize| std::array::from_fn(|x| chroma[12 + x % 4][plane + 2 + x / 4] as u8)),
            chroma_right: [0, 4].map(|plane: usize| {
                std::array::from_fn(|y| chroma[4 * (y % 4) + 3][plane + 2 * (y / 4) + 1] as u8)
            }),
        }
    }
}
