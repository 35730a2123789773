//! Palettes of at most 256 colors: the exact colors if the image has few enough, otherwise a quantized palette.
//!
//! Quantization uses median cut, refined by k-means, in a color space where distance approximates perceived difference.
//! The number of colors follows from the quality (`colors_for`), if the caller does not limit it further. Pixels are then mapped
//! with error diffusion; below quality 100, a pixel of a PNG may take its neighbor's color (`tolerance_for`). Animated GIFs are
//! dithered by position instead: `formats/gif/animation_encode/palettes.rs`.
//!
//! Arithmetic is exact IEEE in a fixed order: the same bytes come out on every platform.

mod dither;
mod median_cut;
mod nearest;
mod numbers;
mod space;

use image::RgbaImage;

use numbers::Numbers;

/// An image as palette indices.
pub(crate) struct Indexed {
    /// Red, green, blue and alpha of each color; at most 256 colors.
    pub(crate) colors: Vec<[u8; 4]>,
    /// One index per pixel, row by row.
    pub(crate) indices: Vec<u8>,
}

/// The indices of at most 256 keys in ascending order of the keys; equal keys keep their order. Keys are packed into
/// integers, so that one instance of the sort serves all callers.
pub(crate) fn ranked(keys: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut keys: Vec<u64> = keys.zip(0_u64..).map(|(key, number)| u64::from(key) << 8 | number).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u8).collect()
}

/// The distinct colors of RGBA pixels if there are at most 256 of them, in order of appearance.
pub(crate) fn exact(rgba: &[u8]) -> Option<Indexed> {
    let mut numbers = Numbers::new(256);
    let mut colors = Vec::with_capacity(256);
    let mut indices = Vec::with_capacity(rgba.len() / 4);
    for &pixel in rgba.as_chunks().0 {
        let number = numbers.of(pixel)?;
        if number == colors.len() {
            colors.push(pixel);
        }
        indices.push(number as u8);
    }
    Some(Indexed { colors, indices })
}

/// Quantizes to `limit` colors (2 to 256) with error diffusion of a strength of 0 to 1. At most one color is fully transparent. With
/// a `tolerance` above 0, a pixel may take its neighbor's color if its own would be little better: that makes the indices easier to
/// compress.
pub(crate) fn quantize(image: &RgbaImage, limit: usize, dither: f32, tolerance: f32) -> Indexed {
    let (colors, error) = median_cut::choose(image, limit.clamp(2, 256));
    let indices = dither::index(image, &colors, error, tolerance, dither);
    Indexed { colors, indices }
}

/// The number of colors for a quality of 1 to 100: 256 from 80 on, and fewer below.
pub(crate) fn colors_for(quality: u8) -> usize {
    (usize::from(quality) * 256 / 80).clamp(4, 256)
}

/// How much worse than the nearest color a neighbor's color may be, in mean errors of the palette: 0 at quality 100,
/// 0.6 at 80, 1 from 40 down, where it begins to show as streaks.
pub(crate) fn tolerance_for(quality: u8) -> f32 {
    match quality {
        80.. => f32::from(100 - quality.min(100)) * 0.03,
        40.. => 0.6 + f32::from(80 - quality) * 0.01,
        _ => 1.0,
    }
}

/// Chooses up to `limit` colors (2 to 256) for the image, in no particular order.
pub(crate) fn choose(image: &RgbaImage, limit: usize) -> Vec<[u8; 4]> {
    median_cut::choose(image, limit.clamp(2, 256)).0
}
