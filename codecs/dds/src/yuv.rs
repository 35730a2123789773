//! Y, U and V: BT.601 in its limited range, as "Recommended 8-Bit YUV Formats for Video Rendering" and "10-bit and 16-bit
//! YUV Video Formats" (Microsoft) have it; alone, in pairs and in planes.

use crate::sample::Pixel;

/// Where the samples of a pair of pixels are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pairs {
    /// Whether samples have 16 bits, or 8.
    pub(crate) wide: bool,
    /// Whether they are Y, U, V, or else G, R, B.
    pub(crate) yuv: bool,
    /// The positions of both samples of their own, and of the two that are shared.
    pub(crate) order: [u8; 4],
}

/// Converts samples of `bits` bits to RGB up to `full`.
pub(crate) fn to_rgb([y, u, v]: [u32; 3], bits: u8, full: u32) -> [u32; 3] {
    // Y has 16 to 235 of 8 bits, U and V 16 to 240.
    let unit = (1 << (bits - 8)) as f32;
    let y = (y as f32 - 16.0 * unit) / (219.0 * unit);
    let u = (u as f32 - 128.0 * unit) / (224.0 * unit);
    let v = (v as f32 - 128.0 * unit) / (224.0 * unit);
    let rgb = [y + 1.402 * v, y - 0.344_136_3 * u - 0.714_136_3 * v, y + 1.772 * u];
    // A negative number becomes 0.
    rgb.map(|light| ((light * full as f32 + 0.5) as u32).min(full))
}

fn sample(stored: &[u8], at: usize, wide: bool) -> u32 {
    if wide {
        u32::from(u16::from_le_bytes([stored[2 * at], stored[2 * at + 1]]))
    } else {
        u32::from(stored[at])
    }
}

const fn depth(wide: bool) -> (u8, u32) {
    if wide { (16, 65_535) } else { (8, 255) }
}

impl Pairs {
    /// Decodes pairs that follow one another.
    pub(crate) fn decode(&self, stored: &[u8], pixels: &mut [Pixel]) {
        let (bits, full) = depth(self.wide);
        let bytes = if self.wide { 8 } else { 4 };
        for (stored, pixels) in stored.chunks_exact(bytes).zip(pixels.chunks_exact_mut(2)) {
            let [first, second, u, v] = self.order.map(|at| sample(stored, usize::from(at), self.wide));
            for (pixel, own) in pixels.iter_mut().zip([first, second]) {
                let [red, green, blue] = if self.yuv { to_rgb([own, u, v], bits, full) } else { [u, own, v] };
                *pixel = [red, green, blue, full];
            }
        }
    }
}

/// Decodes pixels of a row from its Y, and from the U and V of every second pixel, of which the first two are those of
/// the first pixel.
pub(crate) fn decode_planes(luma: &[u8], chroma: &[u8], wide: bool, pixels: &mut [Pixel]) {
    let (bits, full) = depth(wide);
    for (x, pixel) in pixels.iter_mut().enumerate() {
        let shared = x / 2 * 2;
        let [y, u, v] =
            [sample(luma, x, wide), sample(chroma, shared, wide), sample(chroma, shared + 1, wide)];
        let [red, green, blue] = to_rgb([y, u, v], bits, full);
        *pixel = [red, green, blue, full];
    }
}
