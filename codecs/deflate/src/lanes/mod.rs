//! Sixteen numbers at a time: where two runs of bytes differ, the least of sums of costs, and the sums of Adler-32.
//!
//! `portable` defines the operations. `simd128` has the same in WebAssembly instructions.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use portable::{ROW, STEP, SymbolCosts, first_difference, least, least_listed, sums};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{ROW, STEP, SymbolCosts, first_difference, least, least_listed, sums};

/// How many bytes, from `start` to `end` on, are equal at `near` and at `far`. The first `start` are known to be.
#[inline(always)]
pub(crate) fn common_length(data: &[u8], near: usize, far: usize, start: usize, end: usize) -> usize {
    let mut length = start;
    while length < end {
        let (Some(one), Some(other)) = (block(data, near + length), block(data, far + length)) else {
            let tails = (data.get(near + length..near + end), data.get(far + length..));
            let (one, other) = (tails.0.unwrap_or_default(), tails.1.unwrap_or_default());
            return length + one.iter().zip(other).take_while(|(one, other)| one == other).count();
        };
        if let Some(first) = first_difference(one, other) {
            return (length + first).min(end);
        }
        length += STEP;
    }
    length.min(end)
}

#[inline(always)]
fn block(data: &[u8], at: usize) -> Option<&[u8; STEP]> {
    data.get(at..)?.first_chunk()
}
