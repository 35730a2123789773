//! Work on many coefficients or samples at once, for which the compiler finds no good instructions by itself.
//!
//! `portable` defines the operations. `simd128` has the same in WebAssembly instructions.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use portable::{beyond, correct, nonzero, squares, stay_bytes};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{beyond, correct, nonzero, squares, stay_bytes};

/// The index of the lowest bit that is set in a mask of coefficients, such as that of [`beyond`], which loses that bit.
#[inline(always)]
pub(crate) fn take_lowest(mask: &mut u64) -> usize {
    let lowest = mask.trailing_zeros() as usize;
    *mask &= *mask - 1;
    lowest
}
