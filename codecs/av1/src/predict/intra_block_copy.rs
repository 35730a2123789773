//! Intra block copy: prediction from the decoded part of the same frame (section 7.11.3, as far as intra frames use it).
//!
//! Vectors are whole luma samples. In subsampled chroma that can be a half sample, which the bilinear filter interpolates. Its
//! taps are 64 and 64 of 128, so the two rounding steps of the specification give the rounded mean of two or four samples at
//! every bit depth.

use crate::coverage;
use crate::plane::Plane;

/// The largest side of a block.
const MAX_SIDE: usize = 128;

/// A block that is copied from elsewhere in its plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntraBcBlock {
    /// Column of the first sample.
    pub(crate) x: usize,
    /// Row of the first sample.
    pub(crate) y: usize,
    /// Columns, at most 128.
    pub(crate) w: usize,
    /// Rows, at most 128.
    pub(crate) h: usize,
    /// The vector, row before column, in 1/8 luma samples.
    pub(crate) mv: (i32, i32),
    /// 1 if the plane is subsampled horizontally.
    pub(crate) ss_x: u8,
    /// 1 if the plane is subsampled vertically.
    pub(crate) ss_y: u8,
    /// Columns of the plane that may be read; beyond them the last is repeated. At least 1.
    pub(crate) limit_x: usize,
    /// Rows of the plane that may be read. At least 1.
    pub(crate) limit_y: usize,
}

/// Copies a block. What would be written outside the padded plane is left out.
pub(crate) fn predict_intrabc(plane: &mut Plane, block: &IntraBcBlock) {
    let w = block.w.min(MAX_SIDE).min(plane.stride.saturating_sub(block.x));
    let h = block.h.min(MAX_SIDE).min(plane.padded_height().saturating_sub(block.y));
    let (from_x, half_x) = source(block.x, block.mv.1, block.ss_x);
    let (from_y, half_y) = source(block.y, block.mv.0, block.ss_y);
    coverage::count("intra_block_copy", usize::from(half_x) + 2 * usize::from(half_y));
    let clip = |position: i64, limit: usize| position.clamp(0, limit as i64 - 1) as usize;
    let mut above = [0_u16; MAX_SIDE];
    let mut current = [0_u16; MAX_SIDE];
    for i in 0..h + usize::from(half_y) {
        // Sums of two samples if the column lies between two.
        let row = &plane.data[clip(from_y + i as i64, block.limit_y) * plane.stride..][..plane.stride];
        for (j, sum) in current[..w].iter_mut().enumerate() {
            let x = from_x + j as i64;
            *sum = row[clip(x, block.limit_x)];
            if half_x {
                *sum += row[clip(x + 1, block.limit_x)];
            }
        }
        let bits = u32::from(half_x) + u32::from(half_y);
        let rounding = (1 << bits) >> 1;
        let y = if half_y { i.checked_sub(1) } else { Some(i) };
        if let Some(y) = y {
            let to = &mut plane.data[(block.y + y) * plane.stride + block.x..][..w];
            for (to, (&current, &above)) in to.iter_mut().zip(current.iter().zip(&above)) {
                let above = if half_y { above } else { 0 };
                *to = (current + above + rounding) >> bits;
            }
        }
        std::mem::swap(&mut above, &mut current);
    }
}

/// The first sample to read, and whether the position lies half a sample after it.
fn source(position: usize, mv: i32, ss: u8) -> (i64, bool) {
    // In 1/16 samples of the plane.
    let sixteenths = (2 * i64::from(mv)) >> ss;
    (position as i64 + (sixteenths >> 4), sixteenths & 15 == 8)
}
