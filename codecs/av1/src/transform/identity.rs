//! The inverse identity transforms (sections 7.13.2.11 to 7.13.2.15): each value is scaled by the square root of the length.

use super::lanes::round12;

/// Scales a value of a transform of 4, 8, 16 or 32 values. Values of up to 20 bits do not overflow: only the fractional part of a
/// factor is multiplied.
#[inline(always)]
pub(super) fn scale(value: i32, length: usize) -> i32 {
    match length {
        4 => value.wrapping_add(round12(value.wrapping_mul(5793 - 4096))),
        8 => value.wrapping_mul(2),
        16 => value.wrapping_mul(2).wrapping_add(round12(value.wrapping_mul(11586 - 8192))),
        _ => value.wrapping_mul(4),
    }
}
