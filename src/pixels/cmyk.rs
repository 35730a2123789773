//! A picture in the inks of print, before a profile or a formula says what they look like.

use image::{Rgb, RgbImage};

/// Cyan, magenta, yellow and black of every pixel.
pub(crate) struct Cmyk {
    /// In pixels.
    pub(crate) width: u32,
    /// In pixels.
    pub(crate) height: u32,
    /// Four bytes a pixel, row by row; 0 is no ink, 255 all of it. As many as width and height say.
    pub(crate) samples: Vec<u8>,
}

impl Cmyk {
    /// The colors of inks of which nothing is known: what each lets through, multiplied.
    pub(crate) fn without_profile(&self) -> RgbImage {
        let mut out = RgbImage::new(self.width, self.height);
        for (&[cyan, magenta, yellow, black], to) in self.samples.as_chunks().0.iter().zip(out.pixels_mut()) {
            *to = Rgb([cyan, magenta, yellow].map(|ink| both(!ink, !black)));
        }
        out
    }
}

/// The product of two shares of 255, rounded to the nearest.
fn both(one: u8, other: u8) -> u8 {
    ((u32::from(one) * u32::from(other) + 127) / 255) as u8
}
