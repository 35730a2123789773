//! The space in which colors are compared: luma and two differences from it, each weighted by how much the eye makes of
//! it, before black by their alpha, and alpha itself. It is linear in the stored samples, so that means and errors of
//! colors are what they seem.
//!
//! The weights are those that gave the best SSIMULACRA2 for the bytes, on photos, drawings and icons.

/// A color: luma, blue and red difference, alpha.
pub(crate) type Point = [f32; 4];

const LUMA: f32 = 1.6;
const BLUE: f32 = 0.7;
const RED: f32 = 0.9;
const ALPHA: f32 = 1.5;
/// ITU-R BT.601.
const LUMA_OF: [f32; 3] = [0.299, 0.587, 0.114];
/// Alpha from here on was meant to be opaque.
const OPAQUE_FROM: u8 = 253;

/// A color of 8-bit samples as a point.
pub(crate) fn point([r, g, b, a]: [u8; 4]) -> Point {
    let alpha = f32::from(a) / 255.0;
    let [r, g, b] = [r, g, b].map(|sample| f32::from(sample) * alpha);
    let luma = LUMA_OF[0] * r + LUMA_OF[1] * g + LUMA_OF[2] * b;
    [luma * LUMA, (b - luma) * BLUE, (r - luma) * RED, f32::from(a) * ALPHA]
}

/// The nearest color of 8-bit samples.
pub(crate) fn color([y, b, r, a]: Point) -> [u8; 4] {
    let alpha = (a / ALPHA).clamp(0.0, 255.0);
    if alpha < 0.5 {
        return [0; 4];
    }
    let luma = y / LUMA;
    let (b, r) = (b / BLUE + luma, r / RED + luma);
    let g = (luma - LUMA_OF[0] * r - LUMA_OF[2] * b) / LUMA_OF[1];
    let [r, g, b] = [r, g, b].map(|sample| (sample * 255.0 / alpha + 0.5).clamp(0.0, 255.0) as u8);
    let a = (alpha + 0.5) as u8;
    [r, g, b, if a >= OPAQUE_FROM { u8::MAX } else { a }]
}

/// The square of the distance of two points.
pub(crate) fn distance(a: &Point, b: &Point) -> f32 {
    let [d0, d1, d2, d3] = [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]];
    d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3
}
