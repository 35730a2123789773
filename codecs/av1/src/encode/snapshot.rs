//! What a block and its trials change of a tile's state beside samples, to be put back before the next trial.

use crate::block_size::BlockSize;
use crate::predict::IntraMode;
use crate::tile::TileState;
use crate::tile::neighbors::{Edge, Neighbor};
use std::ops::Range;

/// 4×4 blocks along a side of a superblock.
const SIDE4: usize = 16;

/// The contexts along a square or a block of at most 64×64.
#[derive(Clone)]
pub(super) struct Snapshot {
    /// The rows of 4×4 blocks of each plane, relative to the superblock, and their flags.
    decoded: [(Range<usize>, [u64; SIDE4]); 3],
    above: EdgePart,
    left: EdgePart,
}

#[derive(Clone)]
struct EdgePart {
    start: usize,
    length: usize,
    shift: u8,
    blocks: [Option<Neighbor>; SIDE4],
    uv_modes: [IntraMode; SIDE4],
    tx_extent: [u8; SIDE4],
    coefficients: [[u8; SIDE4]; 3],
    /// Of luma; none where there are no palettes.
    palette_colors: Vec<[u16; 8]>,
}

impl EdgePart {
    /// `shift` is that of chroma along the edge.
    fn take(edge: &Edge, start: usize, length: usize, shift: u8) -> Self {
        let length = length.min(edge.blocks.len() - start).min(SIDE4);
        let mut part = Self {
            start,
            length,
            shift,
            blocks: [None; SIDE4],
            uv_modes: [IntraMode::Dc; SIDE4],
            tx_extent: [0; SIDE4],
            coefficients: [[0; SIDE4]; 3],
            palette_colors: Vec::new(),
        };
        let range = start..start + length;
        for (to, from) in part.blocks.iter_mut().zip(&edge.blocks[range.clone()]) {
            *to = Some(*from);
        }
        if let Some(colors) = edge.palette_colors[0].get(start..start + length) {
            part.palette_colors = colors.to_vec();
        }
        part.uv_modes[..length].copy_from_slice(&edge.uv_modes[range.clone()]);
        part.tx_extent[..length].copy_from_slice(&edge.tx_extent[range]);
        for plane in 0..3 {
            let range = part.of_plane(plane);
            part.coefficients[plane][..range.len()].copy_from_slice(&edge.coefficients[plane][range]);
        }
        part
    }

    /// The 4×4 blocks of a plane.
    fn of_plane(&self, plane: usize) -> Range<usize> {
        let shift = if plane == 0 { 0 } else { self.shift };
        self.start >> shift..(self.start + self.length).div_ceil(1 << shift)
    }

    fn restore(&self, edge: &mut Edge) {
        let range = self.start..self.start + self.length;
        for (to, from) in edge.blocks[range.clone()].iter_mut().zip(self.blocks.iter().flatten()) {
            *to = *from;
        }
        if !self.palette_colors.is_empty() {
            edge.palette_colors[0][range.clone()].copy_from_slice(&self.palette_colors);
        }
        edge.uv_modes[range.clone()].copy_from_slice(&self.uv_modes[..self.length]);
        edge.tx_extent[range].copy_from_slice(&self.tx_extent[..self.length]);
        for plane in 0..3 {
            let range = self.of_plane(plane);
            edge.coefficients[plane][range.clone()].copy_from_slice(&self.coefficients[plane][..range.len()]);
        }
    }
}

impl Snapshot {
    pub(super) fn take(tile: &TileState<'_>, (row, col): (usize, usize), size: BlockSize) -> Self {
        let (ss_x, ss_y) = tile.subsampling(1);
        let first = row & (tile.superblock().height4() - 1);
        let decoded = [0, ss_y, ss_y]
            .map(|shift| (first >> shift..(first + size.height4()).div_ceil(1 << shift), [0; SIDE4]));
        let mut snapshot = Self {
            decoded,
            above: EdgePart::take(&tile.work.above, col, size.width4(), ss_x),
            left: EdgePart::take(&tile.work.left, row, size.height4(), ss_y),
        };
        for (plane, (rows, flags)) in snapshot.decoded.iter_mut().enumerate() {
            flags[..rows.len()].copy_from_slice(tile.decoded.rows(plane, rows.clone()));
        }
        snapshot
    }

    pub(super) fn restore(&self, tile: &mut TileState<'_>) {
        for (plane, (rows, flags)) in self.decoded.iter().enumerate() {
            tile.decoded.rows_mut(plane, rows.clone()).copy_from_slice(&flags[..rows.len()]);
        }
        self.above.restore(&mut tile.work.above);
        self.left.restore(&mut tile.work.left);
        if let Some(map) = &mut tile.frame.block_copies {
            map.clear((self.left.start, self.above.start), (self.left.length, self.above.length));
        }
    }
}
