//! Sixteen bytes at a time: where two runs of bytes differ, and the sums of Adler-32.
//!
//! `portable` defines the operations. `simd128` has the same in WebAssembly instructions.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use portable::{STEP, first_difference, sums};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{STEP, first_difference, sums};

/// How many bytes, from `start` to `end` on, are equal at `near` and at `far`. The first `start` are known to be.
#[inline(always)]
pub(crate) fn common_length(data: &[u8], near: usize, far: usize, start: usize, end: usize) -> usize {
    let (Some(near), Some(far)) = (data.get(near + start..near + end), data.get(far + start..far + end))
    else {
        return start;
    };
    let (blocks, rest) = near.as_chunks::<STEP>();
    let (others, tail) = far.as_chunks::<STEP>();
    for (at, (block, other)) in blocks.iter().zip(others).enumerate() {
        if let Some(first) = first_difference(block, other) {
            return start + STEP * at + first;
        }
    }
    let equal = rest.iter().zip(tail).take_while(|(one, other)| one == other).count();
    start + STEP * blocks.len() + equal
}
