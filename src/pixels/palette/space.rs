//! The color space of quantization: luma and two color differences, premultiplied by alpha, and alpha, each with a
//! weight. It is linear in the stored samples, so that means and errors can be computed in it directly.
//!
//! The weights gave the best SSIMULACRA2 for the bytes on photos, drawings and icons.

/// A color: luma, blue difference, red difference, alpha.
pub(crate) type Point = [f32; 4];

const LUMA: f32 = 1.6;
const BLUE: f32 = 0.7;
const RED: f32 = 0.9;
const ALPHA: f32 = 1.5;
/// The luma of white.
pub(crate) const BRIGHTEST: f32 = 255.0 * LUMA;
/// Luma weights of ITU-R BT.601.
const LUMA_OF: [f32; 3] = [0.299, 0.587, 0.114];
/// Alpha from this value on counts as opaque.
const OPAQUE_FROM: u8 = 253;

/// Converts 8-bit samples to a point.
pub(crate) fn point([r, g, b, a]: [u8; 4]) -> Point {
    let alpha = f32::from(a) / 255.0;
    let [r, g, b] = [r, g, b].map(|sample| f32::from(sample) * alpha);
    let luma = LUMA_OF[0] * r + LUMA_OF[1] * g + LUMA_OF[2] * b;
    [luma * LUMA, (b - luma) * BLUE, (r - luma) * RED, f32::from(a) * ALPHA]
}

/// Converts a point to the nearest 8-bit samples.
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

/// The squared distance between two points.
pub(crate) fn distance(a: &Point, b: &Point) -> f32 {
    let [d0, d1, d2, d3] = [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]];
    d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3
}
