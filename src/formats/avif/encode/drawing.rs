//! Which pictures keep chroma of full resolution at any quality: drawings, text and the screens of programs, whose colored edges blur
//! otherwise. It costs them few bytes, where photos pay much.

use image::DynamicImage;

/// Squares of this side are looked at.
const CELL: usize = 8;
/// The least range of red, green or blue in a square that has edges: those between colors of the same luma blur most.
const CONTRAST: u32 = 16;
/// A square with edges that was drawn has no more values of each.
const MOST_VALUES: u32 = 8;
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
            let mut values = [Values::default(); 3];
            for row in rows.chunks_exact(line) {
                for pixel in row[start..][..CELL * channels].chunks_exact(channels) {
                    values.iter_mut().zip(pixel).for_each(|(values, value)| values.insert(*value));
                }
            }
            if values.iter().any(|values| values.range() >= CONTRAST) {
                all += 1;
                drawn += usize::from(values.iter().all(|values| values.count() <= MOST_VALUES));
            }
        }
    }
    drawn > 0 && drawn * SHARE.1 >= all * SHARE.0
}

/// The values that occur, one bit each.
#[derive(Clone, Copy, Default)]
struct Values([u128; 2]);

impl Values {
    fn insert(&mut self, value: u8) {
        self.0[usize::from(value >> 7)] |= 1 << (value & 127);
    }

    fn count(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// The largest less the least.
    fn range(self) -> u32 {
        let [low, high] = self.0;
        let least = if low == 0 { 128 + high.trailing_zeros() } else { low.trailing_zeros() };
        let end = if high == 0 { 128 - low.leading_zeros() } else { 256 - high.leading_zeros() };
        end.saturating_sub(least + 1)
    }
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
        let of_one_luma = RgbImage::from_fn(64, 40, |x, y| match (x / 3 + y / 5) % 2 {
            0 => Rgb([210, 20, 30]),
            _ => Rgb([20, 60, 200]),
        });
        assert!(is_drawing(&of_one_luma.into()));
        let flat = RgbImage::from_pixel(64, 40, Rgb([90, 20, 20]));
        assert!(!is_drawing(&flat.into()));
        assert!(!is_drawing(&RgbImage::from_fn(5, 5, |x, _| Rgb([x as u8 * 50; 3])).into()));
    }
}
