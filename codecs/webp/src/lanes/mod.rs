//! Eight 4 × 4 blocks side by side, so that one 128-bit instruction works on the same coefficient or pixel of each.
//!
//! `portable` defines the operations. `simd128` has the same in WebAssembly instructions, because the compiler widens to 32-bit
//! products where `i32x4.dot_i16x8` suffices.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use portable::{Lanes, Sums};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{Lanes, Sums};

pub(crate) const LANES: usize = 8;

/// Sixteen coefficients or pixels, in raster order, of eight blocks.
pub(crate) type Blocks = [Lanes; 16];

/// The same for access to single blocks.
pub(crate) type Arrays = [[i16; LANES]; 16];

impl Lanes {
    pub(crate) const ZERO: Self = Self::splat(0);

    #[inline(always)]
    pub(crate) fn from_fn(value: impl FnMut(usize) -> i16) -> Self {
        Self::new(std::array::from_fn(value))
    }
}

#[inline(always)]
pub(crate) fn arrays(blocks: &Blocks) -> Arrays {
    std::array::from_fn(|i| blocks[i].array())
}

/// One of the eight blocks.
#[inline(always)]
pub(crate) fn block(blocks: &Arrays, lane: usize) -> [i16; 16] {
    std::array::from_fn(|i| blocks[i][lane])
}
