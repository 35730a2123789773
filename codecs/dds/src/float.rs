//! Floating-point numbers with less than 32 bits ("Floating-point rules (Direct3D 11)", Microsoft): five bits of exponent,
//! and a sign only in numbers of 16 bits.

/// The bits of the same number with 32 bits. `bits` is 10, 11, 16 or 32.
pub(crate) fn widen(raw: u32, bits: u8) -> u32 {
    if bits == 32 {
        return raw;
    }
    let fraction_bits = u32::from(bits.min(15)) - 5;
    let fraction = raw & ((1 << fraction_bits) - 1);
    let exponent = (raw >> fraction_bits) & 31;
    let sign = if bits == 16 { (raw >> 15) << 31 } else { 0 };
    let magnitude = match exponent {
        // Too small for an exponent: a multiple of the smallest number.
        0 => (fraction as f32 * f32::from_bits((127 - 14 - fraction_bits) << 23)).to_bits(),
        31 => (255 << 23) | (fraction << (23 - fraction_bits)),
        _ => ((exponent + 112) << 23) | (fraction << (23 - fraction_bits)),
    };
    sign | magnitude
}
