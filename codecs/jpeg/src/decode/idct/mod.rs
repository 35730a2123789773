//! The inverse DCT (T.81, A.3.3), at full size and at others, of dequantized coefficients.

mod islow;
mod matrix;
mod scaled;

pub(crate) use islow::islow;
pub(crate) use scaled::scaled;

use crate::coefficients::Block;
use crate::decode::sample::Sample;

/// The steps of a quantization table in raster order.
pub(crate) type Steps = [i32; 64];

/// The transform of a block to samples.
pub(crate) trait Transform: Sample {
    /// Writes samples of this width and height, rows `stride` apart.
    fn transform(block: &Block, steps: &Steps, size: (usize, usize), out: &mut [Self], stride: usize);
}

impl Transform for u8 {
    #[inline]
    fn transform(block: &Block, steps: &Steps, size: (usize, usize), out: &mut [Self], stride: usize) {
        match size {
            (8, 8) => islow(block, steps, out, stride),
            _ => scaled(block, steps, size, out, stride),
        }
    }
}

#[cfg(feature = "extended")]
impl Transform for u16 {
    fn transform(block: &Block, steps: &Steps, size: (usize, usize), out: &mut [Self], stride: usize) {
        scaled(block, steps, size, out, stride);
    }
}
