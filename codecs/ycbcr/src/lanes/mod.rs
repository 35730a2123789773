//! Four numbers that are computed with together.
//!
//! `floats` defines the operations. `floats128` has the same in WebAssembly instructions.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod floats;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod floats128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use floats::Floats;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use floats::separate;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use floats128::Floats;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use floats128::separate;

/// Pixels whose samples are separated together.
pub(crate) const PIXELS: usize = 16;
