//! Sixteen numbers at a time: where two runs of bytes differ, the least of sums of costs, and the sums of Adler-32.
//!
//! `portable` defines the operations. `simd128` has the same in WebAssembly instructions.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use portable::{SymbolCosts, first_difference, least, least_listed, sums};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{SymbolCosts, first_difference, least, least_listed, sums};

/// The number of bytes of one comparison, and of sums that are compared at once.
pub(crate) const STEP: usize = 16;

/// How many bytes, from `start` to `end` on, are equal at `near` and at `far`. The first `start` are known to be.
#[inline(always)]
pub(crate) fn common_length(data: &[u8], near: usize, far: usize, start: usize, end: usize) -> usize {
    let (Some(one), Some(other)) = (data.get(near + start..), data.get(far + start..)) else { return start };
    // Most runs end within the first block, which is compared without regard to the end.
    if let (Some((block, _)), Some((another, _))) = (one.split_first_chunk(), other.split_first_chunk())
        && let Some(first) = first_difference(block, another)
    {
        return (start + first).min(end);
    }
    let left = end - start;
    let (Some(one), Some(other)) = (one.get(..left), other.get(..left)) else { return start };
    let (blocks, rest) = one.as_chunks::<STEP>();
    let (others, tail) = other.as_chunks::<STEP>();
    for (at, (block, another)) in blocks.iter().zip(others).enumerate() {
        if let Some(first) = first_difference(block, another) {
            return start + STEP * at + first;
        }
    }
    let equal = rest.iter().zip(tail).take_while(|(one, other)| one == other).count();
    start + STEP * blocks.len() + equal
}
