//! Pixels as light before a background.

use crate::lanes::Lanes;
use crate::levels::LEAST_SIDE;

/// The light of each 8-bit sample of sRGB.
pub(crate) struct Light([f32; 256]);

impl Light {
    pub(crate) fn new() -> Self {
        Self(std::array::from_fn(|sample| of(sample as f32 / 255.0)))
    }
}

/// IEC 61966-2-1.
fn of(sample: f32) -> f32 {
    if sample <= 0.040_45 { sample / 12.92 } else { libm::powf((sample + 0.055) / 1.055, 2.4) }
}

/// Red, green, blue and alpha of each pixel.
#[derive(Clone, Copy)]
pub(crate) struct Picture<'a> {
    size: (usize, usize),
    rgba: &'a [u8],
}

impl<'a> Picture<'a> {
    pub(crate) fn new(size: (usize, usize), rgba: &'a [u8]) -> Self {
        Self { size, rgba }
    }

    /// Width and height in which it is compared: smaller pictures are continued by their last pixels.
    pub(crate) fn compared(&self) -> (usize, usize) {
        (self.size.0.max(LEAST_SIDE), self.size.1.max(LEAST_SIDE))
    }

    /// The light of a row before a background.
    pub(crate) fn row(&self, light: &Light, y: usize, background: u8) -> Vec<Lanes> {
        let (width, height) = self.size;
        let pixels = &self.rgba.as_chunks::<4>().0[y.min(height - 1) * width..][..width];
        let beyond = std::iter::repeat_n(&pixels[width - 1], self.compared().0 - width);
        let seen = pixels.iter().chain(beyond);
        seen.map(|&[r, g, b, alpha]| {
            let [r, g, b] = [r, g, b].map(|sample| light.0[usize::from(over(sample, background, alpha))]);
            Lanes::new([r, g, b, 0.0])
        })
        .collect()
    }
}

/// A sample over another, rounded to the nearest.
fn over(sample: u8, under: u8, alpha: u8) -> u8 {
    let (sample, under, alpha) = (u32::from(sample), u32::from(under), u32::from(alpha));
    ((sample * alpha + under * (255 - alpha) + 127) / 255) as u8
}
