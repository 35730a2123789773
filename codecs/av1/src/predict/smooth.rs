//! Smooth prediction: interpolation between the edges and the samples at their far ends (section 7.11.2.6).

use super::edges::Edges;
use super::tables::smooth_weights;
use super::{IntraBlock, MAX_SIDE};
use crate::plane::Plane;

/// The sum of both weights.
const ONE: u32 = 256;

/// `SMOOTH_PRED`.
pub(super) fn both(plane: &mut Plane, block: &IntraBlock, edges: &Edges) {
    let (w, h) = (block.width(), block.height());
    let (above, left) = (edges.above(w), edges.left(h));
    let (right, bottom) = (u32::from(above[w - 1]), u32::from(left[h - 1]));
    let weights_x = smooth_weights(block.log2_w);
    // The part that depends only on the column.
    let mut fixed = [0_u32; MAX_SIDE];
    for (fixed, &weight) in fixed.iter_mut().zip(weights_x) {
        *fixed = (ONE - u32::from(weight)) * right + ONE;
    }
    let rows = plane.block_rows(block.x, block.y, w, h);
    for ((row, &left), &weight_y) in rows.zip(left).zip(smooth_weights(block.log2_h)) {
        let from_bottom = (ONE - u32::from(weight_y)) * bottom;
        let columns = row.iter_mut().zip(above).zip(weights_x).zip(&fixed);
        for (((sample, &above), &weight_x), &fixed) in columns {
            let vertical = u32::from(weight_y) * u32::from(above) + from_bottom;
            let horizontal = u32::from(weight_x) * u32::from(left) + fixed;
            *sample = ((vertical + horizontal) >> 9) as u16;
        }
    }
}

/// `SMOOTH_V_PRED`.
pub(super) fn vertical(plane: &mut Plane, block: &IntraBlock, edges: &Edges) {
    let (w, h) = (block.width(), block.height());
    let (above, left) = (edges.above(w), edges.left(h));
    let bottom = u32::from(left[h - 1]);
    for (row, &weight) in plane.block_rows(block.x, block.y, w, h).zip(smooth_weights(block.log2_h)) {
        let from_bottom = (ONE - u32::from(weight)) * bottom + ONE / 2;
        for (sample, &above) in row.iter_mut().zip(above) {
            *sample = ((u32::from(weight) * u32::from(above) + from_bottom) >> 8) as u16;
        }
    }
}

/// `SMOOTH_H_PRED`.
pub(super) fn horizontal(plane: &mut Plane, block: &IntraBlock, edges: &Edges) {
    let (w, h) = (block.width(), block.height());
    let (above, left) = (edges.above(w), edges.left(h));
    let right = u32::from(above[w - 1]);
    let weights = smooth_weights(block.log2_w);
    for (row, &left) in plane.block_rows(block.x, block.y, w, h).zip(left) {
        for (sample, &weight) in row.iter_mut().zip(weights) {
            let sum = u32::from(weight) * u32::from(left) + (ONE - u32::from(weight)) * right;
            *sample = ((sum + ONE / 2) >> 8) as u16;
        }
    }
}
