//! Linear light as floating point, where 1 is diffuse white.

/// The brightest light that is kept; more has no meaning, and would overflow where light is added up.
const BRIGHTEST: f32 = 1e30;
/// What stands for a light without end: the largest 16-bit number of OpenEXR.
const ENDLESS: f32 = 65_504.0;

/// Light as a number that a file can hold and that can be reckoned with.
pub(crate) fn finite(light: f32) -> f32 {
    match light {
        _ if light.is_nan() => 0.0,
        _ if light.is_infinite() => ENDLESS.copysign(light),
        _ => light.clamp(-BRIGHTEST, BRIGHTEST),
    }
}
