//! The sRGB transfer function (IEC 61966-2-1).

/// The exponent of the power segment.
pub(crate) const EXPONENT: f64 = 2.4;
/// The scale of the power segment.
pub(crate) const SCALE: f64 = 1.055;
/// The offset of the power segment.
pub(crate) const OFFSET: f64 = 0.055;
/// The slope of the linear segment.
pub(crate) const SLOPE: f64 = 12.92;
/// The encoded value at which the power segment begins.
pub(crate) const ENCODED_BREAK: f64 = 0.040_45;
/// The linear value at which the power segment begins.
const LINEAR_BREAK: f64 = 0.003_130_8;

/// Encodes a linear value, both 0 to 1. `powf` is the host's, or that of `libm`, which rounds alike on every machine.
pub(crate) fn encode_with_powf(powf: impl Fn(f32, f32) -> f32, linear: f32) -> f32 {
    if linear <= LINEAR_BREAK as f32 {
        SLOPE as f32 * linear
    } else {
        SCALE as f32 * powf(linear, 1.0 / EXPONENT as f32) - OFFSET as f32
    }
}

/// Encodes a linear value, both 0 to 1, with the same result on every machine.
#[cfg(feature = "full")]
pub(crate) fn encode(linear: f32) -> f32 {
    encode_with_powf(libm::powf, linear)
}

/// As [`encode`], of any value: those outside of 0 to 1 are clamped, and NaN is 0.
#[cfg(feature = "full")]
pub(crate) fn encode_clamped(linear: f32) -> f32 {
    match linear {
        _ if linear >= 1.0 => 1.0,
        _ if linear > 0.0 => encode(linear),
        _ => 0.0,
    }
}

/// Decodes an encoded value, both 0 to 1, with the same result on every machine.
#[cfg(feature = "full")]
pub(crate) fn decode(encoded: f64) -> f64 {
    if encoded > ENCODED_BREAK { libm::pow((encoded + OFFSET) / SCALE, EXPONENT) } else { encoded / SLOPE }
}
