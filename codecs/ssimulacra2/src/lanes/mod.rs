//! The three planes of a pixel side by side with an unused fourth lane, so that one 128-bit instruction works on all.
//!
//! `portable` defines the operations. `simd128` has the same in WebAssembly instructions, because the compiler does not vectorize
//! conversions between single and double precision.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use portable::{Doubles, Lanes};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{Doubles, Lanes};

pub(crate) const LANES: usize = 4;

/// The bits of a single number v divided by three and subtracted from this are roughly those of 1 / ∛v: the exponent field becomes
/// minus a third of itself, and this constant restores its bias (4/3 of 127) less a correction that centers the error.
const INVERSE_CUBE_ROOT_BITS: u32 = 0x54A2_32A3;
