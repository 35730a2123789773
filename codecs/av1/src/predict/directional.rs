//! Directional prediction: each sample is interpolated on the edge that a line of the angle meets (section 7.11.2.4).

use super::edges::{self, Edge, Edges, ORIGIN};
use super::tables::{DERIVATIVES, MODE_ANGLES};
use super::{EdgeFilter, IntraBlock, MAX_SIDE};
use crate::coverage;
use crate::plane::Plane;

/// Degrees of one step of the angle.
const ANGLE_STEP: i32 = 3;

/// Predicts a block. `columns` is scratch for a block by columns.
pub(super) fn predict(
    plane: &mut Plane,
    block: &IntraBlock,
    edges: &mut Edges,
    columns: &mut [u16; MAX_SIDE * MAX_SIDE],
) {
    let (w, h) = (block.width(), block.height());
    let angle = MODE_ANGLES[block.mode as usize] + i32::from(block.angle_delta) * ANGLE_STEP;
    coverage::count("angle_delta", usize::from(block.angle_delta.wrapping_add(3) as u8));
    match angle {
        ..90 => {
            edges.load(plane, block, w + h, 1);
            let upsampled =
                prepare(edges.above_edge(), block, Side { angle: angle - 90, extra: h, above: true });
            from_above(plane, block, edges.above_edge(), derivative(angle), upsampled);
        }
        90 => {
            edges.load(plane, block, w, 0);
            plane.block_rows(block.x, block.y, w, h).for_each(|row| row.copy_from_slice(edges.above(w)));
        }
        91..180 => {
            edges.load(plane, block, w, h);
            if block.edge_filter != EdgeFilter::Off && w + h >= 24 {
                edges.filter_corner();
            }
            let above = prepare(edges.above_edge(), block, Side { angle: angle - 90, extra: 0, above: true });
            let left = prepare(edges.left_edge(), block, Side { angle: angle - 180, extra: 0, above: false });
            from_both(plane, block, edges, angle, [above, left]);
        }
        180 => {
            edges.load(plane, block, 0, h);
            let rows = plane.block_rows(block.x, block.y, w, h);
            rows.zip(edges.left(h)).for_each(|(row, &left)| row.fill(left));
        }
        _ => {
            edges.load(plane, block, 1, w + h);
            let upsampled =
                prepare(edges.left_edge(), block, Side { angle: angle - 180, extra: w, above: false });
            from_left(plane, block, edges.left_edge(), derivative(270 - angle), upsampled, columns);
        }
    }
}

fn derivative(angle: i32) -> usize {
    usize::from(DERIVATIVES[angle.clamp(0, 89) as usize])
}

/// The edge to prepare: the angle from its perpendicular, the samples beyond the block that are read, and which edge it is.
struct Side {
    angle: i32,
    extra: usize,
    above: bool,
}

/// Filters or interpolates an edge; returns 1 if it was interpolated, else 0.
fn prepare(edge: &mut Edge, block: &IntraBlock, side: Side) -> usize {
    if block.edge_filter == EdgeFilter::Off {
        return 0;
    }
    let smooth = block.edge_filter == EdgeFilter::Smooth;
    let (w, h) = (block.width(), block.height());
    let (length, available) = if side.above { (w, block.above) } else { (h, block.left) };
    let (sum, angle) = (w + h, side.angle.unsigned_abs());
    if available > 0 {
        let strength = strength(sum, smooth, angle);
        coverage::count("edge_filter", strength);
        edges::filter(edge, length.min(available) + side.extra + 1, strength);
    }
    let upsample = angle > 0 && angle < 40 && sum <= if smooth { 8 } else { 16 };
    coverage::count("edge_upsample", usize::from(upsample));
    if upsample {
        edges::upsample(edge, length + side.extra, block.bit_depth);
    }
    usize::from(upsample)
}

/// Section 7.11.2.9: the strength of the filter by the sum of the sides and the angle in degrees.
fn strength(sum: usize, smooth: bool, angle: u32) -> usize {
    let thresholds: [u32; 3] = match (smooth, sum) {
        (false, ..=8) => [56, NEVER, NEVER],
        (false, ..=16) => [40, NEVER, NEVER],
        (false, ..=24) => [8, 16, 32],
        (false, ..=32) => [0, 4, 32],
        (true, ..=8) => [40, 64, NEVER],
        (true, ..=16) => [20, 48, NEVER],
        (true, ..=24) => [4, 4, 4],
        _ => [0, 0, 0],
    };
    thresholds.iter().filter(|&&threshold| angle >= threshold).count()
}

/// No angle is as large.
const NEVER: u32 = u32::MAX;

/// Angles below 90 degrees.
fn from_above(plane: &mut Plane, block: &IntraBlock, above: &mut Edge, dx: usize, upsampled: usize) {
    let (w, h) = (block.width(), block.height());
    // Everything from the last sample on has its value.
    let last = ORIGIN + ((w + h - 1) << upsampled);
    let value = above[last];
    above[last + 1..].fill(value);
    for (i, row) in plane.block_rows(block.x, block.y, w, h).enumerate() {
        let position = (i + 1) * dx;
        let from = (ORIGIN + (position >> (6 - upsampled))).min(last);
        let shift = ((position << upsampled) >> 1) & 31;
        interpolate(row, &above[from..], shift, upsampled);
    }
}

/// Angles above 180 degrees: the same by columns.
fn from_left(
    plane: &mut Plane,
    block: &IntraBlock,
    left: &Edge,
    dy: usize,
    upsampled: usize,
    columns: &mut [u16; MAX_SIDE * MAX_SIDE],
) {
    let (w, h) = (block.width(), block.height());
    for (j, column) in columns.chunks_exact_mut(h).take(w).enumerate() {
        let position = (j + 1) * dy;
        let from = ORIGIN + (position >> (6 - upsampled));
        let shift = ((position << upsampled) >> 1) & 31;
        interpolate(column, &left[from..], shift, upsampled);
    }
    for (i, row) in plane.block_rows(block.x, block.y, w, h).enumerate() {
        for (sample, column) in row.iter_mut().zip(columns.chunks_exact(h)) {
            *sample = column[i];
        }
    }
}

/// Angles between 90 and 180 degrees, which meet the row above from column `first` of a row on, and the column to the left before.
fn from_both(plane: &mut Plane, block: &IntraBlock, edges: &mut Edges, angle: i32, upsampled: [usize; 2]) {
    let (w, h) = (block.width(), block.height());
    let (dx, dy) = (derivative(180 - angle), derivative(angle - 90));
    let [up_above, up_left] = upsampled;
    for (i, row) in plane.block_rows(block.x, block.y, w, h).enumerate() {
        let back = (i + 1) * dx;
        let first = back.saturating_sub(64).div_ceil(64).min(w);
        let (to_left, to_above) = row.split_at_mut(first);
        if !to_above.is_empty() {
            // In 1/64 samples from the first sample before the corner.
            let position = 64 * ORIGIN + (first << 6) - back;
            let offset = ((position << up_above) >> 6) + ORIGIN - (ORIGIN << up_above);
            let shift = ((position << up_above) >> 1) & 31;
            interpolate(to_above, &edges.above_edge()[offset..], shift, up_above);
        }
        let left = edges.left_edge();
        for (j, sample) in to_left.iter_mut().enumerate() {
            let position = 64 * ORIGIN + (i << 6) - (j + 1) * dy;
            let offset = ((position << up_left) >> 6) + ORIGIN - (ORIGIN << up_left);
            let shift = ((position << up_left) >> 1) & 31;
            *sample = mix(left[offset], left[offset + 1], shift);
        }
    }
}

/// Samples between each two of an edge, `shift` / 32 after the first; one or two samples of the edge apart.
fn interpolate(to: &mut [u16], edge: &[u16], shift: usize, upsampled: usize) {
    if upsampled == 0 {
        let edge = &edge[..=to.len()];
        for (to, (&near, &far)) in to.iter_mut().zip(edge.iter().zip(&edge[1..])) {
            *to = mix(near, far, shift);
        }
    } else {
        for (to, pair) in to.iter_mut().zip(edge.chunks_exact(2)) {
            *to = mix(pair[0], pair[1], shift);
        }
    }
}

fn mix(near: u16, far: u16, shift: usize) -> u16 {
    let (near, far, shift) = (u32::from(near), u32::from(far), shift as u32);
    ((near * (32 - shift) + far * shift + 16) >> 5) as u16
}
