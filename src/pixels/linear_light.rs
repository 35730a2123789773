//! Linear light in floating point, where 1 is diffuse white.

/// The brightest value that is kept. Larger values have no meaning, and sums of them would overflow.
const MAX_LIGHT: f32 = 1e30;
/// The value that replaces infinity: the largest 16-bit number of OpenEXR.
const LARGEST_HALF: f32 = 65_504.0;

/// Clamps a value to what a file can store and arithmetic can handle.
pub(crate) fn finite(light: f32) -> f32 {
    match light {
        _ if light.is_nan() => 0.0,
        _ if light.is_infinite() => LARGEST_HALF.copysign(light),
        _ => light.clamp(-MAX_LIGHT, MAX_LIGHT),
    }
}
