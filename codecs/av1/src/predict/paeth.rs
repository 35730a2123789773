//! Paeth prediction: of left, above and corner the sample that is nearest to left + above - corner (section 7.11.2.2).

use super::edges::Edges;
use super::{IntraBlock, MAX_SIDE};
use crate::plane::Plane;

pub(super) fn predict(plane: &mut Plane, block: &IntraBlock, edges: &Edges) {
    let (w, h) = (block.width(), block.height());
    let (above, left) = (edges.above(w), edges.left(h));
    let corner = edges.corner() as i16;
    // What the corner and the row above contribute to the distances is the same in each row.
    let mut slopes = [0_i16; MAX_SIDE];
    for (slope, &above) in slopes.iter_mut().zip(above) {
        *slope = above as i16 - corner;
    }
    for (row, &left) in plane.block_rows(block.x, block.y, w, h).zip(left) {
        let rise = left as i16 - corner;
        let to_above = rise.abs();
        for ((sample, &above), &slope) in row.iter_mut().zip(above).zip(&slopes) {
            let (to_left, to_corner) = (slope.abs(), (slope + rise).abs());
            let other = if to_above <= to_corner { above } else { corner as u16 };
            *sample = if to_left <= to_above && to_left <= to_corner { left } else { other };
        }
    }
}
