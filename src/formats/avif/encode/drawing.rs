//! Which pictures keep chroma of full resolution at any quality: drawings, text and the screens of programs, whose colored edges blur
//! otherwise. It costs them few bytes, where photos pay much.

use image::DynamicImage;

/// Squares of this side are looked at.
const CELL: usize = 8;
/// The least range of luma of a square that has edges.
const CONTRAST: u8 = 16;
/// A square with edges that was drawn has no more values of luma.
const MOST_VALUES: usize = 8;
/// The share of drawn squares among those with edges.
const SHARE: (usize, usize) = (1, 3);

/// Whether many of the squares with edges have few values. Pictures of 16 bits are none.
pub(crate) fn is_drawing(image: &DynamicImage) -> bool {
    let (samples, channels) = match image {
        DynamicImage::ImageRgb8(image) => (image.as_raw(), 3),
        DynamicImage::ImageRgba8(image) => (image.as_raw(), 4),
        _ => return false,
    };
    let (mut drawn, mut all) = (0, 0);
    let line = image.width() as usize * channels;
    for rows in samples.chunks_exact(CELL * line) {
        for start in (0..line.saturating_sub((CELL - 1) * channels)).step_by(CELL * channels) {
            let mut values = [0; 256 / 64];
            let (mut least, mut most) = (u8::MAX, 0);
            for row in rows.chunks_exact(line) {
                for pixel in row[start..][..CELL * channels].chunks_exact(channels) {
                    let value = luma(pixel);
                    (least, most) = (least.min(value), most.max(value));
                    values[usize::from(value / 64)] |= 1u64 << (value % 64);
                }
            }
            if most - least >= CONTRAST {
                all += 1;
                drawn += usize::from(
                    values.iter().map(|bits| bits.count_ones() as usize).sum::<usize>() <= MOST_VALUES,
                );
            }
        }
    }
    drawn > 0 && drawn * SHARE.1 >= all * SHARE.0
}

/// Of BT.601, rounded down.
fn luma(pixel: &[u8]) -> u8 {
    let [r, g, b, ..] = pixel else { return 0 };
    ((77 * u32::from(*r) + 150 * u32::from(*g) + 29 * u32::from(*b)) >> 8) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    #[test]
    fn text_is_drawn_and_noise_is_not() {
        let text = RgbaImage::from_fn(64, 40, |x, y| match (x / 3 + y / 5) % 3 {
            0 => Rgba([200, 30, 30, 255]),
            _ => Rgba([250, 250, 250, 255]),
        });
        assert!(is_drawing(&text.into()));
        let noise = RgbImage::from_fn(64, 40, |x, y| Rgb([(x * 37 + y * 91 + x * y) as u8; 3]));
        assert!(!is_drawing(&noise.into()));
        let flat = RgbImage::from_pixel(64, 40, Rgb([90, 20, 20]));
        assert!(!is_drawing(&flat.into()));
        assert!(!is_drawing(&RgbImage::from_fn(5, 5, |x, _| Rgb([x as u8 * 50; 3])).into()));
    }
}
