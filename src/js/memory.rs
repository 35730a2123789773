//! The export that tells how much memory a build with codecs takes.

use wasm_bindgen::prelude::*;

/// The size of the linear memory of this instance in bytes. It never shrinks.
#[wasm_bindgen]
pub fn memory_bytes() -> f64 {
    (core::arch::wasm32::memory_size::<0>() * 65_536) as f64
}
