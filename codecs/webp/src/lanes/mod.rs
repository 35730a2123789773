//! Eight 4 × 4 blocks side by side, so that one instruction of 128 bits works on the same place of each.
//!
//! `portable` says what each operation is; `simd128` has the same in WebAssembly's own instructions, since the compiler
//! makes products of 32 bits where pairs of 16 do.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use portable::{Lanes, Sums};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{Lanes, Sums};

pub(crate) const LANES: usize = 8;

/// Sixteen places, row by row, of eight blocks.
pub(crate) type Blocks = [Lanes; 16];

/// The same where blocks are looked at one by one.
pub(crate) type Arrays = [[i16; LANES]; 16];

impl Lanes {
    pub(crate) const ZERO: Self = Self::splat(0);

    pub(crate) fn from_fn(value: impl FnMut(usize) -> i16) -> Self {
        Self::new(std::array::from_fn(value))
    }
}

#[inline(always)]
pub(crate) fn arrays(blocks: &Blocks) -> Arrays {
    blocks.map(Lanes::array)
}

/// One of the eight blocks.
#[inline(always)]
pub(crate) fn block(blocks: &Arrays, lane: usize) -> [i16; 16] {
    std::array::from_fn(|place| blocks[place][lane])
}
