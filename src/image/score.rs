//! How much a coded picture differs from the one that was coded, to the eye: SSIMULACRA2, by the crate of that name.
//!
//! Pixels are taken as sRGB at 8 bits; a colour profile is not applied, since both pictures share it. Transparent ones are
//! judged over black and over white, and the lower score counts: what hides before one background shows before the other.

use image::{DynamicImage, RgbaImage};
use ssimulacra2::{LinearRgb, compute_frame_ssimulacra2};

use super::{flatten, pixels};
use crate::error::{Error, ErrorCode, Result};

/// The least width and height that the metric is defined for; smaller pictures are continued by their last pixels.
const LEAST_SIDE: u32 = 8;

/// The picture that others are compared with.
pub(super) struct Judge {
    reference: RgbaImage,
    /// What lies behind transparent pixels, as sRGB.
    backgrounds: &'static [u8],
    /// The light of each 8-bit sample.
    light: [f32; 256],
}

impl Judge {
    /// Takes the picture that is coded.
    pub(super) fn new(picture: &DynamicImage) -> Self {
        let backgrounds: &[u8] = if picture.color().has_alpha() { &[0, u8::MAX] } else { &[0] };
        let mut light = [0.0; 256];
        for (sample, light) in light.iter_mut().enumerate() {
            *light = to_light(sample as f32 / 255.0);
        }
        Self { reference: pixels::rgba8(picture.clone()), backgrounds, light }
    }

    /// The score of a coded picture of the same size: 100 is identical, 90 hardly to be told apart, 50 of medium quality.
    ///
    /// # Errors
    /// [`ErrorCode::EncodeFailed`] where the sizes differ.
    pub(super) fn score(&self, coded: DynamicImage) -> Result<f64> {
        let coded = pixels::rgba8(coded);
        let mut lowest = f64::MAX;
        for &background in self.backgrounds {
            let (reference, coded) =
                (self.frame(&self.reference, background)?, self.frame(&coded, background)?);
            let score = compute_frame_ssimulacra2(reference, coded).map_err(|cause| {
                Error::new(ErrorCode::EncodeFailed, format!("No score was found: {cause}."))
            })?;
            lowest = lowest.min(score);
        }
        Ok(lowest)
    }

    /// The light of a picture before a background.
    fn frame(&self, picture: &RgbaImage, background: u8) -> Result<LinearRgb> {
        let (width, height) = (picture.width(), picture.height());
        let (wide, high) = (width.max(LEAST_SIDE), height.max(LEAST_SIDE));
        let mut light = Vec::with_capacity(wide as usize * high as usize);
        for y in 0..high {
            for x in 0..wide {
                let [r, g, b, a] = picture.get_pixel(x.min(width - 1), y.min(height - 1)).0;
                light.push(
                    [r, g, b].map(|sample| self.light[usize::from(flatten::over(sample, background, a))]),
                );
            }
        }
        LinearRgb::new(light, wide as usize, high as usize)
            .map_err(|cause| Error::new(ErrorCode::EncodeFailed, format!("No score was found: {cause}.")))
    }
}

/// IEC 61966-2-1.
fn to_light(sample: f32) -> f32 {
    if sample <= 0.040_45 { sample / 12.92 } else { libm::powf((sample + 0.055) / 1.055, 2.4) }
}
