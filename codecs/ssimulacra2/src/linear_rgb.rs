//! 8-bit sRGB over a background as linear RGB (IEC 61966-2-1).

use crate::lanes::Lanes;
use crate::pyramid::MIN_SIDE;

/// The linear value of each 8-bit sRGB sample.
pub(crate) struct SrgbTable([f32; 256]);

impl SrgbTable {
    pub(crate) fn new() -> Self {
        Self(std::array::from_fn(|sample| to_linear(sample as f32 / 255.0)))
    }
}

/// The inverse sRGB transfer function. The crate has its own, to stand alone, in `f32` as the reference implementation.
fn to_linear(sample: f32) -> f32 {
    if sample <= 0.040_45 { sample / 12.92 } else { libm::powf((sample + 0.055) / 1.055, 2.4) }
}

/// A borrowed RGBA picture.
#[derive(Clone, Copy)]
pub(crate) struct Pixels<'a> {
    size: (usize, usize),
    rgba: &'a [u8],
}

impl<'a> Pixels<'a> {
    pub(crate) fn new(size: (usize, usize), rgba: &'a [u8]) -> Self {
        Self { size, rgba }
    }

    /// Width and height after padding to [`MIN_SIDE`].
    pub(crate) fn padded_size(&self) -> (usize, usize) {
        (self.size.0.max(MIN_SIDE), self.size.1.max(MIN_SIDE))
    }

    /// A padded row over a gray background, as linear RGB.
    pub(crate) fn row(&self, srgb: &SrgbTable, y: usize, background: u8) -> Vec<Lanes> {
        let (width, height) = self.size;
        let pixels = &self.rgba.as_chunks::<4>().0[y.min(height - 1) * width..][..width];
        let padding = std::iter::repeat_n(&pixels[width - 1], self.padded_size().0 - width);
        let linear = pixels.iter().chain(padding).map(|&[r, g, b, alpha]| {
            let [r, g, b] = [r, g, b].map(|sample| srgb.0[usize::from(over(sample, background, alpha))]);
            Lanes::new([r, g, b, 0.0])
        });
        linear.collect()
    }
}

/// A sample over a background sample, rounded to the nearest.
fn over(sample: u8, background: u8, alpha: u8) -> u8 {
    let (sample, background, alpha) = (u32::from(sample), u32::from(background), u32::from(alpha));
    ((sample * alpha + background * (255 - alpha) + 127) / 255) as u8
}
