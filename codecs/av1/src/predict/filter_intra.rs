//! Recursive intra prediction: each 4 × 2 samples are filtered from the seven samples around them (section 7.11.2.3).

use super::edges::Edges;
use super::tables::FILTER_TAPS;
use super::{IntraBlock, MAX_SIDE};
use crate::plane::Plane;

/// The widest block that has this mode, in samples.
const MAX_WIDTH: usize = MAX_SIDE;

pub(super) fn predict(plane: &mut Plane, block: &IntraBlock, edges: &Edges, mode: u8) {
    let (w, h) = (block.width(), block.height());
    let taps = &FILTER_TAPS[usize::from(mode).min(FILTER_TAPS.len() - 1)];
    let largest = (1 << block.bit_depth) - 1;
    let left = edges.left(h);
    // The row above the current pair of rows, with the sample to the left of it in front.
    let mut above = [0_u16; MAX_WIDTH + 1];
    above[0] = edges.corner();
    above[1..=w].copy_from_slice(edges.above(w));
    for y in (0..h).step_by(2) {
        let start = (block.y + y) * plane.stride + block.x;
        let (upper, lower) = plane.data[start..].split_at_mut(plane.stride);
        let (upper, lower) = (&mut upper[..w], &mut lower[..w]);
        let mut beside = [left[y], left[y + 1]];
        for x in (0..w).step_by(4) {
            let near: [u16; 7] = std::array::from_fn(|i| if i < 5 { above[x + i] } else { beside[i - 5] });
            let near = near.map(i32::from);
            let filtered = |taps: &[i8; 7]| {
                let sum: i32 = taps.iter().zip(near).map(|(&tap, sample)| i32::from(tap) * sample).sum();
                round_signed(sum).clamp(0, largest) as u16
            };
            for j in 0..4 {
                upper[x + j] = filtered(&taps[j]);
                lower[x + j] = filtered(&taps[4 + j]);
            }
            beside = [upper[x + 3], lower[x + 3]];
        }
        above[0] = left[y + 1];
        above[1..=w].copy_from_slice(lower);
    }
}

/// `Round2Signed` by the four fractional bits of the taps.
fn round_signed(sum: i32) -> i32 {
    if sum < 0 { -((-sum + 8) >> 4) } else { (sum + 8) >> 4 }
}
