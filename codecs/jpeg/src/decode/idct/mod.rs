//! The inverse DCT (T.81, A.3.3), at full size and at others, of dequantized coefficients.

mod matrix;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
mod scaled;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use portable::inverse;
use scaled::scaled;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::inverse;

use crate::coefficients::Block;
use crate::decode::sample::Sample;

/// The steps of a quantization table in raster order.
pub(crate) type Steps = [u16; 64];

/// The bits behind the point of weights.
const FRACTION: u32 = 13;
/// And of samples of 8 bits between the two passes.
const BETWEEN: u32 = 2;

/// The transform of a block to samples.
pub(crate) trait Transform: Sample {
    /// Writes samples of this width and height, rows `stride` apart.
    fn transform(block: &Block, steps: &Steps, size: (usize, usize), out: &mut [Self], stride: usize);
}

impl Transform for u8 {
    #[inline]
    fn transform(block: &Block, steps: &Steps, size: (usize, usize), out: &mut [Self], stride: usize) {
        match size {
            (2 | 4 | 8, 2 | 4 | 8) => inverse(block, steps, size, out, stride),
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
