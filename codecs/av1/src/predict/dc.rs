//! DC prediction: the mean of the edges (section 7.11.2.5).

use super::IntraBlock;
use super::edges::Edges;
use crate::plane::Plane;

pub(super) fn predict(plane: &mut Plane, block: &IntraBlock, edges: &Edges) {
    let (w, h) = (block.width(), block.height());
    let above = if block.above > 0 { edges.above(w) } else { &[] };
    let left = if block.left > 0 { edges.left(h) } else { &[] };
    let count = (above.len() + left.len()) as u32;
    let mean = match count {
        0 => 1 << (block.bit_depth - 1),
        _ => (sum(above) + sum(left) + (count >> 1)) / count,
    };
    plane.block_rows(block.x, block.y, w, h).for_each(|row| row.fill(mean as u16));
}

fn sum(samples: &[u16]) -> u32 {
    samples.iter().map(|&sample| u32::from(sample)).sum()
}
