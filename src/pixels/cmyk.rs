//! CMYK pixels, before a profile or a formula converts them.

use image::{Rgb, RgbImage};

/// Cyan, magenta, yellow and black of every pixel.
pub(crate) struct Cmyk {
    /// In pixels.
    pub(crate) width: u32,
    /// In pixels.
    pub(crate) height: u32,
    /// Four bytes per pixel, row by row: 0 is no ink, 255 full ink. The length is 4 × width × height.
    pub(crate) samples: Vec<u8>,
}

impl Cmyk {
    /// The RGB colors of inks without a profile: the product of what each ink lets through.
    pub(crate) fn without_profile(&self) -> RgbImage {
        let mut out = RgbImage::new(self.width, self.height);
        for (&[cyan, magenta, yellow, black], to) in self.samples.as_chunks().0.iter().zip(out.pixels_mut()) {
            *to = Rgb([cyan, magenta, yellow].map(|ink| multiply(!ink, !black)));
        }
        out
    }
}

/// The product of two fractions of 255, rounded to nearest.
fn multiply(one: u8, other: u8) -> u8 {
    ((u32::from(one) * u32::from(other) + 127) / 255) as u8
}
