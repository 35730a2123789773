//! At most 256 colors: found where an image has no more, chosen where it has.
//!
//! Colors are chosen by median cut and bettered by k-means, in a space where distance is about what the eye sees; pixels
//! are then coded with error diffusion. Everything is in exact IEEE arithmetic and in a fixed order: the same bytes
//! come out on every platform.

mod dither;
mod median_cut;
mod nearest;
mod space;

use std::collections::HashMap;

use image::RgbaImage;

/// An image as indices of colors.
pub(crate) struct Indexed {
    /// Red, green, blue and alpha; at most 256.
    pub(crate) colors: Vec<[u8; 4]>,
    /// One index a pixel, row by row.
    pub(crate) indices: Vec<u8>,
}

/// The numbers of at most 256 keys, from the least key to the greatest; of equal ones the first goes first. Keys are packed into plain
/// numbers, so that one code sorts all that is sorted in this way.
pub(crate) fn ranked(keys: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut keys: Vec<u64> = keys.zip(0_u64..).map(|(key, number)| u64::from(key) << 8 | number).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u8).collect()
}

/// The colors of pixels that have no more than `limit` (at most 256), in the order of their appearance. A pixel has three samples or
/// four, the last of which is its alpha.
pub(crate) fn exact(samples: &[u8], channels: usize, limit: usize) -> Option<Indexed> {
    let mut seen: HashMap<[u8; 4], u8> = HashMap::with_capacity(256);
    let mut colors = Vec::with_capacity(256);
    let mut indices = Vec::with_capacity(samples.len() / channels);
    let mut last = None;
    for pixel in samples.chunks_exact(channels) {
        let pixel = [pixel[0], pixel[1], pixel[2], if channels == 4 { pixel[3] } else { u8::MAX }];
        let index = match last {
            Some((color, index)) if color == pixel => index,
            _ => match seen.get(&pixel) {
                Some(&index) => index,
                None if colors.len() >= limit.min(256) => return None,
                None => {
                    let index = colors.len() as u8;
                    seen.insert(pixel, index);
                    colors.push(pixel);
                    index
                }
            },
        };
        last = Some((pixel, index));
        indices.push(index);
    }
    Some(Indexed { colors, indices })
}

/// Chooses `limit` colors (2 to 256) that serve the image best, with error diffusion. Of the colors, one alone is clear.
pub(crate) fn quantize(image: &RgbaImage, limit: usize) -> Indexed {
    quantize_loosely(image, limit, 0.0)
}

/// As [`quantize`], with as many colors as a quality of 1 to 100 is worth; below 100, a pixel may take the color of its
/// neighbor where its own would be little better, which makes the indices easier to compress.
pub(crate) fn quantize_at(image: &RgbaImage, quality: u8) -> Indexed {
    quantize_loosely(image, colors_for(quality), looseness_for(quality))
}

/// Colors that a quality of 1 to 100 is worth: all 256 from 80 on, and fewer below.
pub(crate) fn colors_for(quality: u8) -> usize {
    (usize::from(quality) * 256 / 80).clamp(4, 256)
}

/// How much worse than the nearest color a neighbor's may be, in mean errors of the palette: none at quality 100, 0.6 at
/// 80, 1 from 40 down, where it begins to show as streaks.
fn looseness_for(quality: u8) -> f32 {
    match quality {
        80.. => f32::from(100 - quality.min(100)) * 0.03,
        40.. => 0.6 + f32::from(80 - quality) * 0.01,
        _ => 1.0,
    }
}

/// Chooses up to `limit` colors (2 to 256) that serve the image best, in no order that means anything.
pub(crate) fn choose(image: &RgbaImage, limit: usize) -> Vec<[u8; 4]> {
    median_cut::choose(image, limit.clamp(2, 256)).0
}

fn quantize_loosely(image: &RgbaImage, limit: usize, looseness: f32) -> Indexed {
    let (colors, error) = median_cut::choose(image, limit.clamp(2, 256));
    let indices = dither::index(image, &colors, error, looseness);
    Indexed { colors, indices }
}
