//! 16-bit floats: IEEE 754-2019 binary16, with 5 bits of exponent and 10 of fraction.

const SIGN: u16 = 0x8000;
const FRACTION: u16 = 0x3FF;
/// The bits of infinity.
pub(crate) const INFINITY: u16 = 0x7C00;

/// The same number in 32 bits.
pub fn to_f32(half: u16) -> f32 {
    let magnitude = u32::from(half & !SIGN);
    let bits = if half & INFINITY == INFINITY {
        0x7F80_0000 | magnitude << 13
    } else {
        // The exponents differ in their bias, by 112. Scaling by a power of two is exact for numbers below the normal range too.
        let scale = f32::from_bits((127 + 112) << 23);
        (f32::from_bits(magnitude << 13) * scale).to_bits()
    };
    f32::from_bits(bits | u32::from(half & SIGN) << 16)
}

/// The nearest number; the even one of two that are equally near. Infinity from 65,520 on.
pub fn from_f32(number: f32) -> u16 {
    let bits = number.to_bits();
    let magnitude = bits & 0x7FFF_FFFF;
    let half = match magnitude {
        // NaN stays NaN, whichever of its bits are cut off.
        0x7F80_0001.. => INFINITY | 0x200 | (magnitude >> 13) as u16 & FRACTION,
        0x477F_F000.. => INFINITY,
        0x3880_0000.. => {
            let is_odd = magnitude >> 13 & 1;
            ((magnitude - (112 << 23) + 0xFFF + is_odd) >> 13) as u16
        }
        // One unit of the last place of 0.5 is that of the smallest numbers in 16 bits: the addition rounds.
        _ => ((f32::from_bits(magnitude) + 0.5).to_bits() - 0.5_f32.to_bits()) as u16,
    };
    half | (bits >> 16) as u16 & SIGN
}
