//! The samples above and to the left of a block, as the predictors need them (section 7.11.2): what is missing is extended,
//! and for directional modes the edges are smoothed or interpolated (sections 7.11.2.7 to 7.11.2.12).

use super::{IntraBlock, MAX_SIDE};
use crate::plane::Plane;

/// Where index 0 of an edge is. The corner is before it, and interpolation adds one more.
pub(super) const ORIGIN: usize = 16;
/// Room for both sides of a block, and for what steep angles read beyond the last sample.
const LENGTH: usize = ORIGIN + 4 * MAX_SIDE;
/// The longest edge that is filtered, with the corner.
const MAX_FILTERED: usize = 2 * MAX_SIDE + 1;
/// The longest edge that is interpolated.
const MAX_UPSAMPLED: usize = 16;

/// `Intra_Edge_Kernel` (section 7.11.2.12).
const KERNELS: [[u32; 5]; 3] = [[0, 4, 8, 4, 0], [0, 5, 6, 5, 0], [2, 4, 4, 4, 2]];

/// One edge: index `ORIGIN` is the first sample beside the block, `ORIGIN - 1` the corner.
pub(super) type Edge = [u16; LENGTH];

/// The edges of a block.
#[derive(Debug)]
pub(super) struct Edges {
    above: Edge,
    left: Edge,
}

/// How many samples of the row above are decoded from `position`, the first column of a block, on; likewise for the column to
/// the left. `have`: the nearest block is available; `have_more`: so is the one after it. `size` is the width of the block,
/// `limit` the decoded width of the plane: `MiCols` × 4, subsampled.
pub(crate) fn edge_samples(have: bool, have_more: bool, position: usize, size: usize, limit: usize) -> usize {
    let reach = if have_more { 2 * size } else { size };
    if have { reach.min(limit.saturating_sub(position)) } else { 0 }
}

impl Edges {
    pub(super) fn new() -> Self {
        Self { above: [0; LENGTH], left: [0; LENGTH] }
    }

    /// The row above, without the corner.
    pub(super) fn above(&self, length: usize) -> &[u16] {
        &self.above[ORIGIN..][..length]
    }

    /// The column to the left, without the corner.
    pub(super) fn left(&self, length: usize) -> &[u16] {
        &self.left[ORIGIN..][..length]
    }

    /// The whole row above, to be indexed from `ORIGIN`.
    pub(super) fn above_edge(&mut self) -> &mut Edge {
        &mut self.above
    }

    /// The whole column to the left, to be indexed from `ORIGIN`.
    pub(super) fn left_edge(&mut self) -> &mut Edge {
        &mut self.left
    }

    pub(super) fn corner(&self) -> u16 {
        self.above[ORIGIN - 1]
    }

    /// Loads the corner, `above` samples of the row above and `left` of the column to the left.
    pub(super) fn load(&mut self, plane: &Plane, block: &IntraBlock, above: usize, left: usize) {
        let middle = 1 << (block.bit_depth - 1);
        let row_above = block.y.checked_sub(1).filter(|_| block.above > 0);
        let column_left = block.x.checked_sub(1).filter(|_| block.left > 0);
        let sample = |x: usize, y: usize| plane.data[y * plane.stride + x];

        let corner = match (row_above, column_left) {
            (Some(y), Some(x)) => sample(x, y),
            (Some(y), None) => sample(block.x, y),
            (None, Some(x)) => sample(x, block.y),
            (None, None) => middle,
        };
        let to_above = &mut self.above[ORIGIN..][..above];
        match row_above {
            Some(y) => {
                let row = &plane.data[y * plane.stride + block.x..];
                copy_extended(to_above, &row[..block.above.min(above)]);
            }
            None => to_above.fill(column_left.map_or(middle - 1, |x| sample(x, block.y))),
        }
        let to_left = &mut self.left[ORIGIN..][..left];
        match column_left {
            Some(x) => {
                copy_column(to_left, &plane.data[block.y * plane.stride + x..], plane.stride, block.left)
            }
            None => to_left.fill(row_above.map_or(middle + 1, |y| sample(block.x, y))),
        }
        self.set_corner(corner);
    }

    fn set_corner(&mut self, corner: u16) {
        self.above[ORIGIN - 1] = corner;
        self.left[ORIGIN - 1] = corner;
    }

    /// Smooths the corner (section 7.11.2.7).
    pub(super) fn filter_corner(&mut self) {
        let [above, corner, left] = [self.above[ORIGIN], self.corner(), self.left[ORIGIN]].map(u32::from);
        self.set_corner(((left * 5 + corner * 6 + above * 5 + 8) >> 4) as u16);
    }
}

fn copy_extended(to: &mut [u16], from: &[u16]) {
    to[..from.len()].copy_from_slice(from);
    let Some(&last) = from.last() else { return };
    to[from.len()..].fill(last);
}

fn copy_column(to: &mut [u16], from: &[u16], stride: usize, available: usize) {
    let count = available.min(to.len());
    let mut last = 0;
    for (to, row) in to.iter_mut().zip(from.chunks(stride)).take(count) {
        last = row[0];
        *to = last;
    }
    to[count..].fill(last);
}

/// Smooths `length` samples of an edge, the corner among them, which itself is kept (section 7.11.2.12).
/// `strength` is 0 to 3.
pub(super) fn filter(edge: &mut Edge, length: usize, strength: usize) {
    let Some(kernel) = strength.checked_sub(1).map(|index| KERNELS[index]) else { return };
    let length = length.min(MAX_FILTERED);
    // Two samples before and after, so that no index has to be clipped.
    let mut source = [0_u16; MAX_FILTERED + 4];
    let samples = &mut edge[ORIGIN - 1..][..length];
    source[2..length + 2].copy_from_slice(samples);
    source[..2].fill(samples[0]);
    source[length + 2..length + 4].fill(samples[length - 1]);
    for (sample, window) in samples.iter_mut().zip(source.windows(5)).skip(1) {
        let sum: u32 = window.iter().zip(kernel).map(|(&sample, tap)| u32::from(sample) * tap).sum();
        *sample = ((sum + 8) >> 4) as u16;
    }
}

/// Doubles the number of samples of an edge: `length` samples after the corner become those from index -2 to 2 × `length` - 2
/// (section 7.11.2.11).
pub(super) fn upsample(edge: &mut Edge, length: usize, bit_depth: u8) {
    let length = length.min(MAX_UPSAMPLED);
    let mut source = [0_i32; MAX_UPSAMPLED + 3];
    for (to, &from) in source[1..].iter_mut().zip(&edge[ORIGIN - 1..][..=length]) {
        *to = i32::from(from);
    }
    source[0] = source[1];
    source[length + 2] = source[length + 1];
    edge[ORIGIN - 2] = source[0] as u16;
    let largest = (1 << bit_depth) - 1;
    for (i, pair) in edge[ORIGIN - 1..].chunks_exact_mut(2).take(length).enumerate() {
        let sum = 9 * (source[i + 1] + source[i + 2]) - source[i] - source[i + 3];
        pair[0] = ((sum + 8) >> 4).clamp(0, largest) as u16;
        pair[1] = source[i + 2] as u16;
    }
}
